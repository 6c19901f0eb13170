/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Shared by the models.
 *
 * INV(number, condition) states an invariant of the model's first comment. To prove that a
 * planted bug breaks a certain invariant, the others are switched off (ONLY); the runner
 * reads the number in the text of the failed assertion.
 */
#ifdef ONLY
#define INV(number, condition) assert((condition) || (ONLY != number) || (number == -1))
#else
#define INV(number, condition) assert((condition) || (number == -1))
#endif

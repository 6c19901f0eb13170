# SPDX-License-Identifier: GPL-2.0-only
"""
The mutants of a C file: each changes one operator, constant, condition or statement.

The parser is clang's (libclang), so a change is never inside a comment, a string or a
type. An expression that is the argument of a macro is changed in the source, once.
Not changed: included files, assertions of the compiler, sizes of arrays, and what only
a macro of another file says.
"""

import ctypes
import re
from typing import NamedTuple

import clang.cindex as ci
from clang.cindex import CursorKind as Kind, TypeKind

# "A op B" becomes "A other B"
BINARY = {
    "<": ("<=", ">=", "!="), "<=": ("<", ">", "=="), ">": (">=", "<=", "!="),
    ">=": (">", "<", "=="), "==": ("!=", "<=", ">="), "!=": ("==", "<", ">"),
    "+": ("-",), "-": ("+",), "*": ("/",), "/": ("*",), "%": ("*",),
    "&": ("|",), "|": ("&",), "^": ("&",), "<<": (">>",), ">>": ("<<",),
    "&&": ("||",), "||": ("&&",),
}
# Operators of which one side may be left out, and that are the same in any order
PARTS = ("&&", "||", "|", "&")
ASSIGNMENT = {
    "+=": ("-=", "="), "-=": ("+=", "="), "*=": ("/=", "="), "/=": ("*=", "="), "%=": ("=",),
    "&=": ("|=", "="), "|=": ("&=", "="), "^=": ("=",), "<<=": (">>=", "="), ">>=": ("<<=", "="),
}
MACROS = {"min": "max", "max": "min", "min_t": "max_t", "max_t": "min_t"}
# Of three, two are left
OF_THREE = {"min3": "min", "max3": "max"}
# Macros that round: NAME(A, B) becomes the second
ROUNDING = {"DIV_ROUND_UP": "(({0}) / ({1}))", "ALIGN": "({0})", "round_up": "({0})",
            "round_down": "({0})"}
WORDS = {
    "<": "lt", "<=": "le", ">": "gt", ">=": "ge", "==": "eq", "!=": "ne", "+": "plus",
    "-": "minus", "*": "times", "/": "over", "%": "mod", "&": "bitand", "|": "bitor",
    "^": "xor", "<<": "shl", ">>": "shr", "&&": "and", "||": "or", "=": "set", "++": "inc",
    "--": "dec", "!": "not", "~": "inv",
}
OPERATOR = re.compile(r"<<=|>>=|[<>=!+\-*/%&|^]=|<<|>>|&&|\|\||[<>+\-*/%&|^=]")
NUMBER = re.compile(r"(0[xX][0-9a-fA-F]+|[0-9]+)([uUlL]*)")
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
DEFINE = re.compile(r"^#[ \t]*define[ \t]+(\w+)[ \t]+(.*)$", re.M)
EXPRESSIONS = (Kind.BINARY_OPERATOR, Kind.COMPOUND_ASSIGNMENT_OPERATOR, Kind.UNARY_OPERATOR,
               Kind.CALL_EXPR, Kind.PAREN_EXPR, Kind.StmtExpr, Kind.UNEXPOSED_EXPR)
INTEGERS = (TypeKind.CHAR_U, TypeKind.UCHAR, TypeKind.USHORT, TypeKind.UINT, TypeKind.ULONG,
            TypeKind.ULONGLONG, TypeKind.CHAR_S, TypeKind.SCHAR, TypeKind.SHORT, TypeKind.INT,
            TypeKind.LONG, TypeKind.LONGLONG, TypeKind.ENUM, TypeKind.BOOL)


class ParseError(Exception):
    pass


class Mutant(NamedTuple):
    file: str
    line: int
    column: int
    kind: str
    start: int          # bytes of the file that are replaced
    end: int
    new: str
    function: str       # or variable, macro, enumeration
    change: str         # "A to B"
    text: str           # the line of the source
    number: int         # of those that are alike in all of this but the place

    def name(self):
        return f"{self.file}:{self.line}:{self.column}:{self.kind}"

    def key(self):
        """What stays the same when lines above it come or go."""
        return (self.file, self.function, self.text,
                self.change + (f" ({self.number})" if self.number > 1 else ""))

    def applied(self, source):
        return source[:self.start] + self.new.encode() + source[self.end:]


def blank_comments(text):
    return COMMENT.sub(lambda found: " " * len(found[0]), text)


def word_of(operator):
    return WORDS.get(operator) or WORDS[operator[:-1]] + "set"


def shown(text):
    text = " ".join(blank_comments(text).split())
    return text if len(text) <= 60 else text[:45] + " ... " + text[-10:]


def closing(text, at):
    """The place behind the parenthesis that closes the one at @at."""
    depth = 0
    for i in range(at, len(text)):
        depth += (text[i] == "(") - (text[i] == ")")
        if not depth:
            return i + 1
    raise ParseError("a parenthesis is not closed")


def split_arguments(text):
    """The arguments of a macro, and where each begins."""
    parts, depth, begin = [], 0, 0
    for i, char in enumerate(text):
        depth += (char in "([{") - (char in ")]}")
        if char == "," and not depth:
            parts.append(text[begin:i].strip())
            begin = i + 1
    return parts + [text[begin:].strip()]


class Finder:
    """Finds the mutants of one file. Offsets count bytes: the text is taken as Latin-1."""

    def __init__(self, path, name, args, silent=None):
        self.name = name
        self.silent = silent
        with open(path, "rb") as file:
            self.source = file.read()
        self.text = self.source.decode("latin-1")
        self.plain = blank_comments(self.text)
        self.path = path
        self.found = {}
        # Changes of which it is known that they change nothing
        self.equal = set()
        self.unit = ci.Index.create().parse(path, args=args)
        errors = [str(one) for one in self.unit.diagnostics if one.severity >= ci.Diagnostic.Error]
        if errors:
            raise ParseError("\n".join(errors))

    def place(self, location):
        """The offset at which a location was written in the file, also in a macro's argument."""
        file, line, column, offset = ci.c_object_p(), ctypes.c_uint(), ctypes.c_uint(), ctypes.c_uint()
        ci.conf.lib.clang_getSpellingLocation(location, *(
            ctypes.byref(one) for one in (file, line, column, offset)))
        return offset.value

    def span(self, cursor):
        return self.place(cursor.extent.start), self.place(cursor.extent.end)

    def of(self, cursor):
        start, end = self.span(cursor)
        return self.text[start:end]

    def add(self, start, end, kind, new, change=None, at=None):
        """One mutant. @change says what it is, @at where, if that is not plain."""
        if start >= end or (start, end, new) in self.found or (start, end, new) in self.equal:
            return
        if not change:
            old = shown(self.text[start:end])
            change = f"{old} to {shown(new)}" if new.strip() else f"without {old}"
        self.found[start, end, new] = (kind, change, start if at is None else at)

    # Operators

    def between(self, left, right):
        """The operator between two operands; nothing if they come from a macro."""
        end, start = self.span(left)[1], self.span(right)[0]
        found = OPERATOR.search(self.plain, end, start) if end < start else None
        if not found or self.plain[end:start].strip() != found[0]:
            return None, 0, 0
        return found[0], found.start(), found.end()

    def binary(self, cursor, left, right):
        operator, start, end = self.between(left, right)
        if operator not in BINARY:
            return
        is_pointer = left.type.get_canonical().kind == TypeKind.POINTER
        for new in BINARY[operator]:
            if operator in ("==", "!=") and new not in ("==", "!=") and (
                    is_pointer or left.type.get_canonical().kind == TypeKind.BOOL):
                continue
            self.add(start, end, f"{word_of(operator)}-{word_of(new)}", new)
        if operator in PARTS:
            self.parts(cursor, left, right, operator, start)

    def parts(self, cursor, left, right, operator, at):
        """One operand only. Of A && B && C only A, B and C are left out."""
        whole = self.span(cursor)
        self.add(*whole, "without-right", self.of(left), f"without {operator} {shown(self.of(right))}", at)
        if left.kind == Kind.BINARY_OPERATOR:
            children = list(left.get_children())
            if len(children) == 2 and self.between(*children)[0] == operator:
                return
        self.add(*whole, "without-left", self.of(right), f"without {shown(self.of(left))} {operator}", at)

    def either(self, cursor, children):
        """A ?: B, which has no kind of its own: one of the two"""
        left, right = children[0], children[-1]
        end, start = self.span(left)[1], self.span(right)[0]
        if end >= start or self.plain[end:start].strip() != "?:":
            return
        whole, at = self.span(cursor), self.plain.index("?", end)
        self.add(*whole, "without-right", self.of(left), f"without ?: {shown(self.of(right))}", at)
        self.add(*whole, "without-left", self.of(right), f"without {shown(self.of(left))} ?:", at)

    def assignment(self, left, right):
        operator, start, end = self.between(left, right)
        for new in ASSIGNMENT.get(operator, ()):
            self.add(start, end, f"{word_of(operator)}-{word_of(new)}", new)

    def unary(self, cursor, operand):
        start, end = self.span(cursor)
        first, last = self.span(operand)
        before, after = self.text[start:first].strip(), self.text[last:end].strip()
        if before in ("!", "-", "~") and not after:
            self.add(start, first, f"without-{word_of(before)}", " ")
        elif before + after in ("++", "--"):
            other = "--" if before + after == "++" else "++"
            at = (start, first) if before else (last, end)
            self.add(*at, f"{word_of(before + after)}-{word_of(other)}", other)
            self.add(*at, f"without-{word_of(before + after)}", " ")

    # Constants

    def number(self, start, end):
        found = NUMBER.fullmatch(self.text, start, end)
        if not found:
            return
        value = int(found[1], 8 if re.fullmatch("0[0-7]+", found[1]) else 0)
        self.add(start, end, "plus-1", f"{value + 1}{found[2]}")
        if value:
            self.add(start, end, "minus-1", f"{value - 1}{found[2]}")
        if value > 1:
            self.add(start, end, "zero", f"0{found[2]}")

    def constant(self, cursor):
        """A number, or the name of one."""
        start, end = self.span(cursor)
        name = self.text[start:end]
        if NUMBER.fullmatch(name):
            self.number(start, end)
        elif name in ("true", "false"):
            other = "false" if name == "true" else "true"
            self.add(start, end, other, other)
        elif re.fullmatch(r"[A-Za-z_]\w*", name) and name != "NULL":
            self.add(start, end, "plus-1", f"({name} + 1)")

    def is_zero(self, cursor):
        text = self.of(cursor).strip("() ")
        if text in ("0", "NULL", "false"):
            return True
        for one in cursor.walk_preorder():
            if one.kind == Kind.DECL_REF_EXPR and self.of(one) == text:
                return one.referenced.kind == Kind.ENUM_CONSTANT_DECL and one.referenced.enum_value == 0
        return False

    # Statements

    def condition(self, cursor, loop=False):
        start, end = self.span(cursor)
        text = self.text[start:end]
        self.add(start, end, "never", f"(({text}), 0)", f"never {shown(text)}")
        if not loop:
            self.add(start, end, "always", f"(({text}), 1)", f"always {shown(text)}")
            self.add(start, end, "negated", f"!({text})", f"not ({shown(text)})")

    def for_condition(self, cursor):
        start, _ = self.span(cursor)
        opening = self.plain.index("(", start)
        end = closing(self.plain, opening) - 1
        first = self.plain.find(";", opening, end)
        second = self.plain.find(";", first + 1, end)
        for child in list(cursor.get_children())[:-1]:
            if first < self.span(child)[0] < second:
                self.condition(child, loop=True)
                self.counting(child, self.plain[second:end])

    def counting(self, condition, step):
        """With i++, i < n and i != n are the same, unless the loop begins behind n"""
        children = list(condition.get_children())
        if len(children) != 2:
            return
        operator, start, end = self.between(*children)
        if operator == "<" and re.search(rf"\b{re.escape(self.of(children[0]))}\+\+", step):
            self.equal.add((start, end, "!="))

    def written(self, cursor, *words):
        """Is a statement in the file itself, with one of these words? Others are in macros."""
        return re.match(r"\w*", self.of(cursor))[0] in words

    def statement(self, cursor):
        start, end = self.span(cursor)
        # A macro that is a statement looks like its do { } while (0)
        is_macro = cursor.kind == Kind.DO_STMT and not self.written(cursor, "do")
        if cursor.kind in EXPRESSIONS or is_macro or self.written(cursor, "break", "continue", "goto"):
            self.add(start, end, "removed", " ")
        if self.written(cursor, "continue"):
            self.add(start, end, "continue-break", "break")

    def returned(self, cursor, result):
        """Another value; a return of none is removed."""
        children = list(cursor.get_children())
        if not children:
            self.add(*self.span(cursor), "removed", " ")
            return
        at, kind = self.span(children[0]), result.get_canonical().kind
        if kind == TypeKind.BOOL:
            self.add(*at, "returns-not", f"!({self.of(children[0])})", f"not ({shown(self.of(children[0]))})")
        elif kind == TypeKind.POINTER:
            if not self.is_zero(children[0]):
                self.add(*at, "null", "NULL")
        elif kind in INTEGERS:
            new = "1" if self.is_zero(children[0]) else "0"
            self.add(*at, f"returns-{new}", new)

    def label(self, cursor):
        """A case that is no longer one. What follows it stays."""
        start, _ = self.span(cursor)
        value = list(cursor.get_children())[0]
        colon = self.plain.index(":", self.span(value)[1])
        self.add(start, colon + 1, "removed-case", ";")

    def initial(self, cursor):
        """The value with which a variable begins"""
        children = list(cursor.get_children())
        if not children or cursor.type.get_canonical().kind not in INTEGERS + (TypeKind.POINTER,):
            return
        value, (start, end) = children[-1], self.span(children[-1])
        assigned = self.plain.rfind("=", self.span(cursor)[0], start)
        if assigned >= 0 and value.kind.is_expression() and not self.is_zero(value):
            self.add(start, end, "begins-0", "0")

    def elements(self, cursor):
        """Designated initializers, left out one by one"""
        for child in cursor.get_children():
            start, end = self.span(child)
            if child.kind == Kind.UNEXPOSED_EXPR and self.text[start:start + 1] in (".", "["):
                comma = re.compile(r"\s*,").match(self.plain, end)
                self.add(start, comma.end() if comma else end, "removed", " ")

    # The walk

    def body(self, cursor):
        if cursor.kind != Kind.COMPOUND_STMT:
            self.statement(cursor)

    def visit(self, cursor, result):
        kind, children = cursor.kind, list(cursor.get_children())
        if kind == Kind.CALL_EXPR and self.silent and self.silent.match(cursor.spelling):
            return
        if kind == Kind.BINARY_OPERATOR and len(children) == 2:
            self.binary(cursor, *children)
        elif kind == Kind.COMPOUND_ASSIGNMENT_OPERATOR and len(children) == 2:
            self.assignment(*children)
        elif kind == Kind.UNARY_OPERATOR and children:
            self.unary(cursor, children[0])
        elif kind == Kind.INTEGER_LITERAL:
            self.constant(cursor)
        elif kind == Kind.DECL_REF_EXPR:
            if cursor.referenced and cursor.referenced.kind == Kind.ENUM_CONSTANT_DECL:
                self.constant(cursor)
        elif kind == Kind.IF_STMT and self.written(cursor, "if"):
            self.condition(children[0])
            for child in children[1:]:
                self.body(child)
        elif kind == Kind.WHILE_STMT and self.written(cursor, "while"):
            self.condition(children[0], loop=True)
            self.body(children[1])
        elif kind == Kind.DO_STMT and self.written(cursor, "do"):
            self.condition(children[1], loop=True)
        elif kind == Kind.FOR_STMT:
            if self.written(cursor, "for"):
                self.for_condition(cursor)
            self.body(children[-1])
        elif kind == Kind.CONDITIONAL_OPERATOR:
            if self.span(children[0])[1] < self.span(children[1])[0]:
                self.condition(children[0])
        elif kind in (Kind.CASE_STMT, Kind.DEFAULT_STMT):
            if self.written(cursor, "case"):
                self.label(cursor)
            self.body(children[-1])
        elif kind == Kind.COMPOUND_STMT and self.of(cursor).startswith("{"):
            for child in children:
                self.statement(child)
        elif kind == Kind.RETURN_STMT and self.written(cursor, "return"):
            self.returned(cursor, result)
        elif kind == Kind.VAR_DECL:
            self.initial(cursor)
            if cursor.type.kind in (TypeKind.CONSTANTARRAY, TypeKind.INCOMPLETEARRAY):
                children = [one for one in children if one.kind == Kind.INIT_LIST_EXPR]
        elif kind == Kind.UNEXPOSED_EXPR and len(children) > 2:
            self.either(cursor, children)
        elif kind == Kind.INIT_LIST_EXPR:
            self.elements(cursor)
        for child in children:
            self.visit(child, result)

    def macros(self, start, end):
        """Functions that are macros: the smaller and the larger, and rounding"""
        for found in re.finditer(r"\b(\w+)\(", self.plain[start:end]):
            name, at = found[1], start + found.start()
            if name in MACROS:
                self.add(at, at + len(name), f"{name}-{MACROS[name]}".replace("_", "-"), MACROS[name])
            elif name in ROUNDING or name in OF_THREE:
                stop = closing(self.plain, start + found.end() - 1)
                arguments = split_arguments(self.text[start + found.end():stop - 1])
                if name in ROUNDING and len(arguments) == 2:
                    self.add(at, stop, "not-rounded", ROUNDING[name].format(*arguments))
                for i, left_out in enumerate(arguments if len(arguments) == 3 else []):
                    two = ", ".join(arguments[:i] + arguments[i + 1:])
                    self.add(at, stop, f"without-{i + 1}", f"{OF_THREE[name]}({two})",
                             f"without {shown(left_out)} in {name}()")

    def define(self, found):
        """A constant: numbers and operators of its value"""
        start, end = found.span(2)
        for part in re.finditer(r"(?<!\w)\d\w*|(?<=[\w) ])(?:<<|>>|[-+*/])(?= )", self.plain[start:end]):
            at = start + part.start()
            if part[0] in BINARY:
                for new in BINARY[part[0]]:
                    self.add(at, at + len(part[0]), f"{word_of(part[0])}-{word_of(new)}", new)
            else:
                self.number(at, at + len(part[0]))

    def in_this_file(self, cursor):
        return cursor.location.file and cursor.location.file.name == self.path

    def enumeration(self, cursor):
        for constant in cursor.get_children():
            for value in constant.get_children():
                self.visit(value, None)

    def collect(self, function):
        """Mutants that were found since the last time belong to @function."""
        for (begin, end, new), (kind, change, at) in self.found.items():
            line = self.text.count("\n", 0, at) + 1
            first = self.text.rfind("\n", 0, at) + 1
            last = self.text.find("\n", at)
            text = self.source[first:last].decode()
            yield Mutant(self.name, line, at - first + 1, kind, begin, end, new, function, change,
                         " ".join(text.split()), 1)
        self.found = {}

    def declared(self, cursor):
        start, end = self.span(cursor)
        if cursor.kind == Kind.FUNCTION_DECL and cursor.is_definition():
            if not self.text[start:end].endswith("}"):
                return          # all of it comes from a macro
            self.visit(cursor, cursor.result_type)
            self.macros(start, end)
        elif cursor.kind == Kind.VAR_DECL:
            self.visit(cursor, None)
        elif cursor.kind == Kind.ENUM_DECL:
            self.enumeration(cursor)

    def all(self):
        mutants = []
        for found in DEFINE.finditer(self.plain):
            self.define(found)
            mutants += self.collect(found[1])
        for cursor in self.unit.cursor.get_children():
            if self.in_this_file(cursor):
                self.declared(cursor)
                mutants += self.collect(cursor.spelling)
        mutants.sort(key=lambda one: (one.line, one.column, one.kind, one.end, one.new))
        return numbered(mutants)


def numbered(mutants):
    seen, names, result = {}, {}, []
    for one in mutants:
        seen[one.key()] = seen.get(one.key(), 0) + 1
        number = seen[one.key()]
        names[one.name()] = names.get(one.name(), 0) + 1
        kind = one.kind if names[one.name()] == 1 else f"{one.kind}.{names[one.name()]}"
        result.append(one._replace(number=number, kind=kind))
    return result


def mutants_of(path, name, args, silent=None):
    """
    All mutants of the file at @path, which the project calls @name. Arguments of functions
    whose names match @silent are not changed.
    """
    return Finder(path, name, args, silent).all()

# SPDX-License-Identifier: GPL-2.0-only
# Bars from data/performance-*.csv: ours / in-tree, 1 = the same.
set terminal svg size 1100,440 font "DejaVu Sans,11" background 'white'
set datafile separator ','
set style data histograms
set style fill solid 0.8
set yrange [0:*]
set xtics rotate by -40
set grid y
set key top left horizontal
set title 'ours / in-tree, rxe, NFSv4.2, one connection, one CPU'
plot 'data/performance-instructions.csv' skip 1 using 7:xtic(1) title 'instructions (less is better)', \
     'data/performance-rates.csv' skip 1 using 4 title 'rate (more is better)', \
     1 with lines lc 'black' notitle

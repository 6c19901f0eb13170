# SPDX-License-Identifier: GPL-2.0-only
"""The style sheet of the page of rpcrdmactl report."""

STYLE = """
:root { color-scheme: light dark; --text: #1b1f24; --soft: #57606a; --page: #ffffff; --card: #f6f8fa;
  --edge: #d0d7de; --s0: #1f6feb; --s1: #b35900; --heat: 31 111 235;
  --error: #b42318; --warning: #8a5a00; --good: #1a7f37; }
@media (prefers-color-scheme: dark) { :root { --text: #e6edf3; --soft: #9aa4b0; --page: #0d1117; --card: #161b22;
  --edge: #30363d; --s0: #79b8ff; --s1: #f0a050; --heat: 31 111 235;
  --error: #ff8178; --warning: #e3b341; --good: #56d364; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 76rem; padding: 1.5rem; background: var(--page); color: var(--text);
  font: 15px/1.5 system-ui, "Liberation Sans", sans-serif; }
h1 { font-size: 1.6rem; margin: 0; overflow-wrap: anywhere; }
h2 { font-size: 1.2rem; margin: 2.2rem 0 .6rem; padding-bottom: .3rem; border-bottom: 1px solid var(--edge); }
h3 { font-size: 1rem; margin: 1rem 0 .3rem; overflow-wrap: anywhere; }
a { color: var(--s0); }
nav ul { display: flex; flex-wrap: wrap; gap: .3rem 1.1rem; padding: 0; list-style: none; }
code, pre { font: 13px/1.45 ui-monospace, "Liberation Mono", monospace; overflow-wrap: anywhere; }
pre { max-height: 30rem; overflow: auto; padding: .8rem; background: var(--card); border: 1px solid var(--edge);
  border-radius: 6px; white-space: pre-wrap; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(11rem, 1fr)); gap: .7rem; margin: 1rem 0; }
.tiles div, .finding, figure { background: var(--card); border: 1px solid var(--edge); border-radius: 6px;
  padding: .6rem .8rem; }
.tiles dt { color: var(--soft); font-size: .85rem; }
.tiles dd { margin: 0; font-size: 1.05rem; font-weight: 600; overflow-wrap: anywhere; }
.finding { margin: .6rem 0; }
.finding h3 { margin-top: 0; }
.badge { border: 1px solid currentColor; border-radius: 1rem; padding: 0 .6rem; font-size: .8rem; }
.badge.error { color: var(--error); }
.badge.warning, .warn { color: var(--warning); }
.good { color: var(--good); font-weight: 600; }
.none, figcaption, caption { color: var(--soft); }
.scroll { overflow-x: auto; margin: .6rem 0 1rem; }
table { border-collapse: collapse; font-size: .87rem; }
caption { text-align: left; padding-bottom: .3rem; }
th, td { padding: .22rem .6rem .22rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--edge);
  font-variant-numeric: tabular-nums; }
thead th { color: var(--soft); font-weight: 600; vertical-align: bottom; }
tbody th { font-weight: 500; white-space: nowrap; }
th.number, td.number { text-align: right; }
.whole { white-space: nowrap; }
td { max-width: 28rem; overflow-wrap: break-word; }
.columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(20rem, 1fr)); gap: 1rem; }
details { margin: .3rem 0; }
summary { cursor: pointer; color: var(--s0); }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(24rem, 1fr)); gap: .8rem; }
@media (max-width: 26rem) { .figures { grid-template-columns: 1fr; } }
figure { margin: 0; }
figure svg { display: block; width: 100%; height: auto; }
svg text { font-size: 12px; fill: var(--soft); }
svg .end { text-anchor: end; }
.grid { stroke: var(--edge); }
.line { fill: none; stroke-width: 2; stroke-linejoin: round; }
.line.s0 { stroke: var(--s0); }
.line.s1 { stroke: var(--s1); stroke-dasharray: 5 3; }
.area { opacity: .13; }
.area.s0 { fill: var(--s0); }
.area.s1 { fill: var(--s1); }
.legend { display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; margin: .3rem 0 0; padding: 0; list-style: none;
  font-size: .85rem; }
.key { display: inline-block; width: 1.4rem; margin-right: .4rem; vertical-align: .25rem;
  border-top: 3px solid var(--s0); }
.key.s1 { border-top: 3px dashed var(--s1); }
.heatmap th, .heatmap td { border: 1px solid var(--page); padding: .2rem .25rem; text-align: right;
  font-size: .8rem; }
.heatmap th:first-child { text-align: left; padding-left: 0; }
.heatmap td { background: var(--card); min-width: 2.3rem; }
.heatmap td.heat { background: rgb(var(--heat) / var(--a)); }
.share { display: inline-block; height: .7rem; min-width: 2px; background: var(--s0); }
td:has(> .share) { min-width: 10rem; }
@media print { body { max-width: none; } pre { max-height: none; } }
"""

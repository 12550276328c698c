/** Style sheet of a report: light or dark, narrow or wide, and print. Loads nothing. */
export const REPORT_STYLE = `
:root{color-scheme:light dark;--paper:#fff;--card:#f7f8fa;--text:#131722;--quiet:#5d6472;--line:#dfe3ea;--up:#00796b;--down:#b71c2c;--warn:#7a2e00;--warn-paper:#fff4e5;--warn-line:#d98a4a}
@media (prefers-color-scheme:dark){:root{--paper:#12151c;--card:#1a1f29;--text:#e8eaf0;--quiet:#9aa3b2;--line:#2c3341;--up:#4db6a6;--down:#f2808a;--warn:#ffc48a;--warn-paper:#33220f;--warn-line:#8a5a26}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--text);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
main{max-width:1180px;margin:0 auto;padding:28px 20px 48px}
h1{font-size:28px;line-height:1.2;margin:0 0 6px;overflow-wrap:anywhere}
h2{font-size:19px;margin:36px 0 10px}
p{margin:0 0 8px}
.quiet,figcaption,caption,footer{color:var(--quiet)}
.small{font-size:13px}
.banner,.warnings{background:var(--warn-paper);color:var(--warn);border:1px solid var(--warn-line);border-radius:6px;padding:10px 16px;margin:0 0 16px}
.banner{font-weight:700}
.warnings{margin-top:16px}
.warnings h2{font-size:16px;margin:0 0 4px}
.warnings ul{margin:0;padding-left:20px}
dl.facts{display:grid;grid-template-columns:repeat(auto-fill,minmax(150px,1fr));gap:10px 20px;margin:16px 0 20px;padding:14px 16px;background:var(--card);border-radius:6px}
.facts div{min-width:0}
.facts dt{color:var(--quiet);font-size:12px}
.facts dd{margin:0;overflow-wrap:anywhere}
.wide{overflow-x:auto}
figure{margin:0;border:1px solid var(--line);border-radius:6px;background:#fff}
figure svg{display:block;width:100%;min-width:820px;height:auto;border-radius:6px}
figure text{font-family:"DejaVu Sans Mono",Menlo,Consolas,"Liberation Mono",monospace}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
caption{text-align:left;font-size:13px;padding-bottom:6px}
th,td{padding:5px 10px;border-bottom:1px solid var(--line);text-align:right;vertical-align:top;white-space:nowrap}
th{font-weight:600}
thead th{color:var(--quiet);font-size:13px}
th:first-child,td:first-child{text-align:left;padding-left:0}
table.text-last th:last-child{text-align:left}
td.words{text-align:left;white-space:normal;color:var(--quiet);min-width:220px}
td.up{color:var(--up)}
td.down{color:var(--down)}
table.heat{font-size:13px}
table.heat td{min-width:58px;border:1px solid var(--paper)}
table.heat td+td{text-align:center;padding:5px 4px}
table.heat th{text-align:center}
table.heat th:first-child{text-align:left}
table.heat td:first-child{position:sticky;left:0;background:var(--paper)}
table.slices{table-layout:fixed;min-width:600px}
pre{background:var(--card);border-radius:6px;padding:12px 16px;margin:0 0 20px;overflow-x:auto;font-size:13px}
footer{margin-top:40px;padding-top:12px;border-top:1px solid var(--line);font-size:13px}
@media screen and (prefers-color-scheme:dark){figure{background:var(--paper)}figure svg{filter:invert(.92) hue-rotate(180deg)}}
@media (max-width:640px){main{padding:18px 14px 32px}h1{font-size:22px}table.metrics,.metrics tbody,.metrics tr,.metrics td{display:block}.metrics thead{display:none}.metrics tr{display:grid;grid-template-columns:1fr auto;border-bottom:1px solid var(--line);padding:6px 0}.metrics td{border:0;padding:0}.metrics td.words{grid-column:1/3;font-size:13px}}
@media print{:root{--paper:#fff;--card:#f7f8fa;--text:#131722;--quiet:#5d6472;--line:#dfe3ea;--up:#00796b;--down:#b71c2c;--warn:#7a2e00;--warn-paper:#fff4e5;--warn-line:#d98a4a}body{font-size:11px}main{max-width:none;padding:0}h2{break-after:avoid}tr,figure,.warnings{break-inside:avoid}.wide{overflow:visible}table.slices{min-width:0}table.heat td{min-width:0}figure svg{min-width:0}th,td{padding:3px 5px}*{-webkit-print-color-adjust:exact;print-color-adjust:exact}}
`.trim();

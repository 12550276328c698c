/** Style sheet of /docs: light and dark, for phones and wider. */
export const DOCS_CSS = `:root { color-scheme: light dark; --line: light-dark(#d8dde6, #30363d); --soft: light-dark(#f3f5f8, #161b22); --link: light-dark(#0b57d0, #79b8ff); }
* { box-sizing: border-box; }
body { margin: 0; display: grid; grid-template-columns: 16rem minmax(0, 1fr); font: 1rem/1.55 system-ui, sans-serif; color: light-dark(#1b1f24, #e6edf3); background: light-dark(#ffffff, #0d1117); }
nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 1rem; border-right: 1px solid var(--line); font-size: .9rem; }
nav ul { list-style: none; margin: 0; padding-left: .75rem; }
nav > ul { padding-left: 0; }
main { padding: 1rem 2rem 4rem; max-width: 60rem; }
a { color: var(--link); text-decoration: none; }
a:hover, a:focus-visible { text-decoration: underline; }
h2 { margin-top: 3rem; border-bottom: 1px solid var(--line); text-transform: capitalize; }
article { margin: 2rem 0; }
h3 { margin-bottom: .25rem; }
h3 code { font-weight: 400; font-size: .85em; }
.routes { list-style: none; margin: 0; padding: 0; }
.facts span { display: inline-block; padding: 0 .6rem; border: 1px solid var(--line); border-radius: 1rem; font-size: .85rem; }
.ask::before { content: "“"; }
.ask::after { content: "”"; }
.table { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .92rem; }
caption { text-align: left; font-weight: 600; padding: .25rem 0; }
th, td { text-align: left; vertical-align: top; padding: .35rem .6rem; border-bottom: 1px solid var(--line); }
tr:target, h3:target { background: light-dark(#fff8c5, #3b2f00); }
td code { overflow-wrap: break-word; }
pre { background: var(--soft); padding: .75rem 1rem; border-radius: .4rem; white-space: pre-wrap; overflow-wrap: anywhere; }
code { font-family: ui-monospace, monospace; font-size: .92em; }
summary { cursor: pointer; }
@media (max-width: 48rem) { body { display: block; } nav { position: static; height: auto; border-right: 0; border-bottom: 1px solid var(--line); } main { padding: 1rem; overflow-wrap: anywhere; }
  .fields thead { display: none; }
  .fields tr { display: block; padding: .4rem 0; border-bottom: 1px solid var(--line); }
  .fields td { display: inline; padding: 0 .5rem 0 0; border: 0; }
  .fields td:last-child { display: block; } }
`;

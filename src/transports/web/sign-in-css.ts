/** Style sheet of the pages of sign-in, in the colours of the dashboard: light and dark, for phones and wider. */
export const SIGN_IN_CSS = `:root { color-scheme: light dark; --bg: light-dark(#f6f7f9, #0a0d13); --surface: light-dark(#ffffff, #10141c); --surface-2: light-dark(#f0f2f5, #171d28); --line: light-dark(#e0e4ea, #232c3a); --edge: light-dark(#7d8796, #647087); --text: light-dark(#131722, #e6eaf1); --muted: light-dark(#566070, #9aa5b7); --up: light-dark(#08704f, #36c994); --down: light-dark(#c02a3b, #ff7a87); --accent: light-dark(#2554d8, #7aa2ff); --accent-soft: light-dark(#2554d81a, #7aa2ff21); --fill: light-dark(#2554d8, #3f6ae0); --fill-hover: light-dark(#1f47ba, #355dcc); --warn: light-dark(#8a5a00, #e9b44c); --warn-soft: light-dark(#8a5a0017, #e9b44c1f); }
[data-mantine-color-scheme="dark"] { color-scheme: dark; }
[data-mantine-color-scheme="light"] { color-scheme: light; }
* { box-sizing: border-box; }
body { margin: 0; font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", sans-serif; color: var(--text); background: var(--bg); }
header { display: flex; align-items: center; justify-content: space-between; gap: .5rem 1rem; padding: .6rem 1.1rem; border-bottom: 1px solid var(--line); background: var(--surface); }
.brand { display: flex; align-items: center; gap: .5rem; min-height: 2.5rem; font-weight: 700; letter-spacing: -.01em; color: var(--text); text-decoration: none; }
.brand img { display: block; }
.badge { padding: .1rem .65rem; border: 1px solid var(--line); border-radius: 999px; font-size: .7rem; font-weight: 700; white-space: nowrap; }
.badge.sample, .badge.files { border-color: var(--warn); color: var(--warn); }
.badge.live { border-color: var(--up); color: var(--up); }
.badge.failed { border-color: var(--down); color: var(--down); }
.badge.new { border-color: var(--accent); color: var(--accent); }
main { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1rem; max-width: 28rem; margin: 0 auto; padding: 2rem 1rem 3rem; }
.wider { max-width: 44rem; }
.card { min-width: 0; padding: 1.5rem; border: 1px solid var(--line); border-radius: 10px; background: var(--surface); overflow-wrap: anywhere; }
h1 { margin: 0 0 .75rem; font-size: 1.35rem; line-height: 1.3; letter-spacing: -.01em; }
h2 { margin: 1.75rem 0 .5rem; padding-top: 1.25rem; border-top: 1px solid var(--line); font-size: 1.05rem; }
.card > h2:first-child { margin-top: 0; padding-top: 0; border-top: 0; }
p { margin: 0 0 .75rem; }
.card > :last-child { margin-bottom: 0; }
a { color: var(--accent); }
code { padding: .05rem .3rem; border-radius: .3rem; font-family: ui-monospace, monospace; font-size: .88em; background: var(--surface-2); }
.address { display: block; margin-bottom: .75rem; padding: .6rem .75rem; }
.quiet { color: var(--muted); font-size: .88rem; }
.notice { padding: .6rem .8rem; border-radius: .5rem; color: var(--warn); background: var(--warn-soft); }
form { margin: 0; }
label { display: block; margin-bottom: .3rem; font-size: .9rem; font-weight: 600; }
.hint { margin: .3rem 0 0; color: var(--muted); font-size: .85rem; }
.field { margin-bottom: 1rem; }
input, select { display: block; width: 100%; min-height: 2.75rem; padding: .5rem .75rem; border: 1px solid var(--edge); border-radius: .5rem; font: inherit; color: var(--text); background: var(--bg); }
[hidden] { display: none; }
button { min-height: 2.75rem; padding: .5rem 1rem; border: 1px solid var(--line); border-radius: .5rem; font: inherit; font-weight: 600; color: var(--text); background: var(--surface-2); cursor: pointer; }
button:hover { border-color: var(--accent); }
button:disabled { opacity: .6; cursor: progress; }
.primary { border-color: var(--fill); color: #ffffff; background: var(--fill); }
.primary:hover { border-color: var(--fill-hover); background: var(--fill-hover); }
.wide { width: 100%; }
.choice { display: grid; grid-template-columns: 1fr 1fr; gap: .75rem; margin-bottom: .75rem; }
.or { display: flex; align-items: center; gap: .75rem; margin: 1rem 0; color: var(--muted); font-size: .85rem; }
.or::before, .or::after { content: ""; flex: 1; height: 1px; background: var(--line); }
.foot { margin-top: 1.25rem; padding-top: 1.25rem; border-top: 1px solid var(--line); }
.foot > :last-child { margin-bottom: 0; }
.rows { margin: 0 0 1rem; padding: 0; list-style: none; }
.rows li { display: flex; align-items: center; justify-content: space-between; gap: 1rem; padding: .75rem 0; border-bottom: 1px solid var(--line); }
.rows li:first-child { padding-top: 0; }
.rows button { flex: none; min-height: 2.5rem; padding: .3rem .8rem; font-size: .9rem; }
.rows p { margin: 0; }
.rows li:has(.actions) { display: block; }
.actions { display: flex; flex-wrap: wrap; gap: .5rem; margin-top: .6rem; }
time { white-space: nowrap; }
.fields { display: grid; grid-template-columns: repeat(auto-fit, minmax(13rem, 1fr)); gap: 0 1rem; }
.result { border-color: var(--accent); }
.result pre { margin: 0 0 1rem; padding: .75rem; border-radius: .5rem; background: var(--surface-2); font: .95rem/1.6 ui-monospace, monospace; white-space: pre-wrap; }
.result .choice { margin-bottom: 0; }
.scopes { margin: 0 0 1.25rem; padding-left: 1.2rem; }
.scopes li { margin-bottom: .35rem; }
dl { margin: 0 0 1rem; }
dl div { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem; padding: .4rem 0; border-bottom: 1px solid var(--line); }
dt { color: var(--muted); }
dd { margin: 0; min-width: 0; font-weight: 600; }
nav { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: .75rem; }
nav a { padding: .5rem 0; }
#status { position: sticky; top: .5rem; z-index: 1; margin: 0; padding: .6rem .8rem; border: 1px solid var(--accent); border-radius: .5rem; background: linear-gradient(var(--accent-soft), var(--accent-soft)) var(--surface); overflow-wrap: anywhere; }
#status[data-failed] { border-color: var(--down); color: var(--down); background: var(--surface); }
#status:empty { position: absolute; padding: 0; border: 0; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
@media (max-width: 30rem) { main { padding-top: 1rem; } .card { padding: 1.15rem; } }
`;

/** Style sheet of the home page: light and dark, for phones and wider. */
export const HOME_CSS = `:root { color-scheme: light dark; --line: light-dark(#d8dde6, #30363d); --soft: light-dark(#f3f5f8, #161b22); --link: light-dark(#0b57d0, #79b8ff); --quiet: light-dark(#57606a, #9aa4af); --good: light-dark(#116329, #56d364); --bad: light-dark(#a40e26, #ff8a80); --sample: light-dark(#5c4300, #f8e3a1); --sample-back: light-dark(#fff3c4, #3b2f00); }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 0 1.25rem 3rem; max-width: 72rem; font: 1rem/1.5 system-ui, sans-serif; color: light-dark(#1b1f24, #e6edf3); background: light-dark(#ffffff, #0d1117); }
header { display: flex; flex-wrap: wrap; align-items: baseline; justify-content: space-between; gap: .25rem 1rem; padding: 1rem 0; }
h1 { margin: 0; font-size: 1.5rem; }
h1 small { font-size: .9rem; font-weight: 400; color: var(--quiet); }
h2 { margin: 0 0 .5rem; font-size: 1.2rem; }
nav { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; }
a { color: var(--link); }
p { margin: .25rem 0 .5rem; }
#browser { margin-top: 1rem; }
main { display: grid; grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); gap: 2rem; align-items: start; margin-top: 1.5rem; }
ol { margin: 1rem 0 0; padding-left: 1.4rem; }
ol > li { margin-bottom: 1.25rem; padding-left: .25rem; }
.quiet { color: var(--quiet); font-size: .9rem; }
.sample { padding: .6rem 1rem; border-radius: .5rem; color: var(--sample); background: var(--sample-back); }
.sample .snippet { margin-bottom: .25rem; }
.label { display: inline-block; margin: 0 0 .5rem; padding: 0 .6rem; border-radius: 1rem; font-size: .85rem; font-weight: 600; color: var(--sample); background: var(--sample-back); }
.panel { margin-bottom: 1rem; padding: 1rem 1.25rem; border: 1px solid var(--line); border-radius: .5rem; overflow-wrap: anywhere; }
.sign { display: flex; gap: .75rem; align-items: center; margin: 0; padding: .6rem 1rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--soft); }
.sign::before { content: ""; flex: none; width: .8rem; height: .8rem; border-radius: 50%; border: 2px solid var(--quiet); }
.sign.on { border-color: var(--good); color: var(--good); font-weight: 600; }
.sign.on::before { border-color: var(--good); background: var(--good); }
.direction { padding: 0 .5rem; border: 1px solid; border-radius: .3rem; font-size: .9rem; }
.long { color: var(--good); }
.short, [data-ready="false"] { color: var(--bad); }
.wait { color: var(--sample); }
.price { margin: .5rem 0 0; font-size: 2rem; line-height: 1.2; font-variant-numeric: tabular-nums; }
dl { margin: .75rem 0; }
dl div { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem; padding: .2rem 0; border-bottom: 1px solid var(--line); }
dt { flex: none; color: var(--quiet); }
time { white-space: nowrap; }
dd { margin: 0 0 0 auto; text-align: right; font-variant-numeric: tabular-nums; }
details { margin-top: .5rem; border: 1px solid var(--line); border-radius: .5rem; }
summary { padding: .5rem .9rem; cursor: pointer; font-weight: 600; }
details > :not(summary) { margin-left: .9rem; margin-right: .9rem; }
.snippet { display: flex; align-items: start; gap: .5rem; margin-top: .5rem; margin-bottom: .75rem; }
pre { flex: 1; min-width: 0; margin: 0; padding: .5rem .75rem; border-radius: .4rem; color: light-dark(#1b1f24, #e6edf3); background: var(--soft); white-space: pre-wrap; overflow-wrap: anywhere; }
code { font-family: ui-monospace, monospace; font-size: .88em; }
button, .button { flex: none; min-height: 2.4rem; padding: .4rem .8rem; border: 1px solid var(--line); border-radius: .4rem; font: inherit; font-size: .9rem; color: var(--link); background: light-dark(#ffffff, #0d1117); cursor: pointer; text-decoration: none; }
[hidden] { display: none; }
button:hover, .button:hover, summary:hover { border-color: var(--link); color: var(--link); }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
@media (max-width: 52rem) { main { grid-template-columns: minmax(0, 1fr); gap: 1.5rem; } }
@media (max-width: 30rem) { .snippet { flex-direction: column; align-items: stretch; } button.copy { align-self: end; } }
`;

import { Argument, type Command, type Option } from "commander";
import type { Tool } from "../../kernel/tool.ts";
import { shellQuoted } from "../../lib/shell-quote.ts";
import { type Cli, commandWithExamples } from "./command.ts";
import { commandNames, fieldsOf } from "./fields.ts";

const SHELLS = ["bash", "zsh", "fish"] as const;
type Shell = (typeof SHELLS)[number];

/** A word that a shell offers. */
interface Word {
  readonly text: string;
  readonly about: string;
}

/** What a shell offers after a command. */
export interface Completion {
  /** The command as typed after the program: `keys create`; empty for the program itself. */
  readonly command: string;
  readonly words: readonly Word[];
  readonly options: readonly (Word & {
    /** True if a value follows. */
    readonly takesValue: boolean;
    /** Known values; empty for any. */
    readonly values: readonly string[];
  })[];
}

/** Creates the command completion, which prints the completion of a shell for all commands of `root`. */
export function completionCommand({ host, finish }: Cli, root: () => Command): Command {
  return commandWithExamples("completion", "print the completion of a shell: bash, zsh or fish", [
    "market-signal completion bash > ~/.local/share/bash-completion/completions/market-signal",
    "market-signal completion zsh > ~/.zfunc/_market-signal",
    "market-signal completion fish > ~/.config/fish/completions/market-signal.fish",
  ])
    .addArgument(new Argument("<shell>", "shell that reads the script").choices(SHELLS))
    .action((shell: Shell) => {
      host.out.write(SCRIPTS[shell](completionsOf(root(), host.catalogue)));
      finish(0);
    });
}

/** Returns what a shell offers after each command, from the commands themselves. */
export function completionsOf(root: Command, catalogue: readonly Tool[]): readonly Completion[] {
  const enums = new Map(
    catalogue.map((tool) => [
      commandNames(tool)[0],
      new Map(fieldsOf(tool).map(({ flag, schema }) => [`--${flag}`, (schema.enum ?? []).map(String)])),
    ]),
  );
  const visit = (command: Command, path: string): readonly Completion[] => {
    const values = enums.get(command.name());
    const optionOf = (option: Option) => ({
      text: option.long ?? option.short ?? "",
      about: aboutOf(option.description),
      takesValue: option.required || option.optional,
      values: option.argChoices ?? values?.get(option.long ?? "") ?? [],
    });
    const choices = command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices);
    const children = command.commands.map((child) => ({
      text: child.alias() ?? child.name(),
      about: aboutOf(child.summary() || child.description()),
    }));
    const visible = command.options.filter(({ hidden }) => !hidden).map(optionOf);
    return [
      {
        command: path,
        words: [...children, ...choices.map((text) => ({ text, about: "" }))],
        options: [...visible, { text: "--help", about: "show the usage", takesValue: false, values: [] }],
      },
      ...command.commands.flatMap((child) =>
        [child.name(), ...child.aliases()].flatMap((name) => visit(child, `${path} ${name}`.trim())),
      ),
    ];
  };
  return visit(root, "");
}

/** Returns the first sentence of a description in one line, without its point. */
const aboutOf = (text: string): string =>
  text
    .split("\n", 1)[0]!
    .replace(/(?<=\w)[.;] .*$|\.$/, "")
    .slice(0, MAX_ABOUT_LENGTH);
const MAX_ABOUT_LENGTH = 80;

const textsOf = (words: readonly Word[]): string => words.map(({ text }) => text).join(" ");
const indented = (lines: readonly string[]): string => lines.map((line) => `    ${line}\n`).join("");
/** Returns the branches of a shell's `case` that take every word of a command from the words before the cursor. */
const commandPattern = (all: readonly Completion[]): string =>
  all
    .filter(({ command }) => command !== "")
    .map(({ command }) => shellQuoted(command))
    .join("|");
/** Returns the branches of a `case` on `<command>:<option>` for the options that take a value. */
const valueBranches = (all: readonly Completion[], branch: (values: readonly string[]) => string): string =>
  indented(
    all.flatMap(({ command, options }) =>
      options
        .filter(({ takesValue }) => takesValue)
        .map(({ text, values }) => `${shellQuoted(`${command}:${text}`)}) ${branch(values)} ;;`),
    ),
  );

/** Completes file names where nothing else is known. */
const bash = (all: readonly Completion[]): string => `# bash completion of market-signal
_market_signal() {
  local cur=\${COMP_WORDS[COMP_CWORD]} command= typed words= i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    typed=\${command:+$command }\${COMP_WORDS[i]}
    case $typed in
      ${commandPattern(all)}) command=$typed ;;
    esac
  done
  case $command:\${COMP_WORDS[COMP_CWORD - 1]} in
${valueBranches(all, (values) => (values.length === 0 ? "return" : `COMPREPLY=($(compgen -W ${shellQuoted(values.join(" "))} -- "$cur")); return`))}  esac
  case $command:$cur in
${indented(
  all.flatMap(({ command, words, options }) => [
    `${shellQuoted(`${command}:-`)}*) words=${shellQuoted(textsOf(options))} ;;`,
    `${shellQuoted(`${command}:`)}*) words=${shellQuoted(textsOf(words))} ;;`,
  ]),
)}  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _market_signal market-signal
`;

const described = ({ text, about }: Word): string =>
  shellQuoted(about === "" ? text : `${text}:${about.replaceAll(":", "\\:")}`);

const zsh = (all: readonly Completion[]): string => `#compdef market-signal
_market_signal() {
  local cur=\${words[CURRENT]} command= typed i
  local -a found
  for ((i = 2; i < CURRENT; i++)); do
    typed=\${command:+$command }\${words[i]}
    case $typed in
      (${commandPattern(all)}) command=$typed ;;
    esac
  done
  case $command:\${words[CURRENT - 1]} in
${valueBranches(all, (values) => (values.length === 0 ? "_files; return" : `found=(${values.map(shellQuoted).join(" ")}); _describe value found; return`)).replaceAll(/^ {4}/gm, "    (")}  esac
  case $command:$cur in
${indented(
  all.flatMap(({ command, words, options }) => [
    `(${shellQuoted(`${command}:-`)}*) found=(${options.map(described).join(" ")}) ;;`,
    `(${shellQuoted(`${command}:`)}*) found=(${words.map(described).join(" ")}) ;;`,
  ]),
)}  esac
  if ((\${#found})); then _describe command found; else _files; fi
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _market_signal "$@"; else compdef _market_signal market-signal; fi
`;

const fishQuoted = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;

const fish = (all: readonly Completion[]): string => {
  const commands = all.filter(({ command }) => command !== "").map(({ command }) => fishQuoted(command));
  const lines = all.flatMap(({ command, words, options }) => {
    const at = `complete -c market-signal -n ${fishQuoted(`__market_signal_at ${fishQuoted(command)}`)}`;
    const about = (text: string) => (text === "" ? "" : ` -d ${fishQuoted(text)}`);
    return [
      ...words.map((word) => `${at} -f -a ${fishQuoted(word.text)}${about(word.about)}`),
      ...options.map(({ text, about: what, takesValue, values }) => {
        const given = values.length === 0 ? " -r" : ` -x -a ${fishQuoted(values.join(" "))}`;
        return `${at} -l ${text.replace(/^--/, "")}${takesValue ? given : ""}${about(what)}`;
      }),
    ];
  });
  return `# fish completion of market-signal
function __market_signal_at
  set -l command ''
  set -l typed (commandline -opc)
  for word in $typed[2..-1]
    set -l longer (string trim -- "$command $word")
    if contains -- $longer ${commands.join(" ")}
      set command $longer
    end
  end
  test "$command" = "$argv[1]"
end
${lines.join("\n")}
`;
};

const SCRIPTS: Readonly<Record<Shell, (all: readonly Completion[]) => string>> = { bash, zsh, fish };

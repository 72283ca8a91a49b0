import { UsageError } from '../host/UsageError.ts';
import { type Command, COMMANDS, type CommandOption, type Offered } from './commands.ts';

const COMMAND_ROWS: readonly (readonly [name: string, command: Command])[] = Object.entries(COMMANDS);
const NAMES = COMMAND_ROWS.map(([name]) => name);

const WRITERS: Readonly<Record<string, () => string>> = { bash: bashScript, zsh: zshScript, fish: fishScript };

/** Returns the script that completes `driftless` in bash (3.2 or later), zsh or fish. Throws a UsageError for another shell. Pure. */
export function completionScript(shell: string): string {
  const write = Object.hasOwn(WRITERS, shell) ? WRITERS[shell] : undefined;
  if (!write) throw new UsageError(`completion takes ${COMMANDS.completion.takes.what}, not ${shell}`);
  return write();
}

/** The options of a command, each with its name. */
function optionsOf({ options }: Command): [string, CommandOption][] {
  return Object.entries(options);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function bashScript(): string {
  const valued = COMMAND_ROWS.flatMap(([name, command]) =>
    optionsOf(command)
      .filter(([, { type }]) => type === 'string')
      .map(([option, { short, offers }]) => {
        const written = [`--${option}`, ...(short === undefined ? [] : [`-${short}`])];
        return `    ${written.map((one) => `'${name} ${one}'`).join('|')}) ${bashOffer(offers)} ;;`;
      }),
  );
  const plain = COMMAND_ROWS.map(([name, command]) => {
    const options = optionsOf(command).map(([option]) => `--${option}`);
    const offers = command.takes?.offers;
    return `    ${name}) options='${options.join(' ')}' words='${Array.isArray(offers) ? offers.join(' ') : ''}' ;;`;
  });
  return `# driftless completion bash: source <(driftless completion bash)
_driftless() {
  local IFS=$' \\n' word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" command=start options words
  COMPREPLY=()
  case "\${COMP_WORDS[1]}" in ${NAMES.join('|')}) [ "$COMP_CWORD" -gt 1 ] && command="\${COMP_WORDS[1]}" ;; esac
  case "$command $before" in
${valued.join('\n')}
  esac
  case "$command" in
${plain.join('\n')}
  esac
  [ "$COMP_CWORD" -eq 1 ] && words='${NAMES.join(' ')}'
  case "$word" in -*) words= ;; *) [ -n "$words" ] && options= ;; esac
  COMPREPLY=($(compgen -W "$words $options" -- "$word"))
}
_driftless_paths() {
  local IFS=$'\\n'
  type compopt >/dev/null 2>&1 && compopt -o filenames
  COMPREPLY=($(compgen "$1" -- "$2"))
}
complete -F _driftless driftless
`;
}

/** What completes a value. It ends the function, as an option cannot follow. */
function bashOffer(offers: Offered | undefined): string {
  if (offers === undefined) return 'return';
  if (offers === 'files') return '_driftless_paths -f "$word"; return';
  if (offers === 'directories') return '_driftless_paths -d "$word"; return';
  return `COMPREPLY=($(compgen -W '${offers.join(' ')}' -- "$word")); return`;
}

function zshScript(): string {
  const commands = COMMAND_ROWS.map(([name, { does }]) => `    ${quoted(`${name}:${does.replaceAll(':', '\\:')}`)}`);
  const cases = COMMAND_ROWS.map(([name, command]) => {
    const { takes } = command;
    const argument = takes ? [quoted(`:${takes.name}:${zshOffer(takes.offers)}`)] : [];
    const specs = [...optionsOf(command).map(zshOption), ...argument];
    return `    ${name})\n      _arguments -s \\\n        ${specs.join(' \\\n        ')}\n      ;;`;
  });
  return `#compdef driftless
# driftless completion zsh: source <(driftless completion zsh), or a file _driftless in a directory of $fpath
_driftless() {
  local command=start
  local -a commands
  commands=(
${commands.join('\n')}
  )
  if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then
    _describe command commands
    return
  fi
  case $words[2] in
    ${NAMES.join('|')}) command=$words[2]; shift words; (( CURRENT-- )) ;;
  esac
  case $command in
${cases.join('\n')}
  esac
}
if [[ $funcstack[1] == _driftless ]]; then _driftless "$@"; else compdef _driftless driftless; fi
`;
}

function zshOption([name, { short, multiple, value, offers, does }]: [string, CommandOption]): string {
  const what = does.replaceAll(/[[\]:\\]/g, '\\$&');
  const taken = value === undefined ? '' : `:${value.replaceAll(':', '\\:')}:${zshOffer(offers)}`;
  const rest = quoted(`[${what}]${taken}`);
  if (short === undefined) return `${multiple ? "'*'" : ''}--${name}${rest}`;
  return `${quoted(multiple ? '*' : `(-${short} --${name})`)}{-${short},--${name}}${rest}`;
}

function zshOffer(offers: Offered | undefined): string {
  if (offers === undefined) return '';
  if (offers === 'files') return '_files';
  return offers === 'directories' ? '_files -/' : `(${offers.join(' ')})`;
}

function fishScript(): string {
  const others = NAMES.filter((name) => name !== 'start').join(' ');
  const commands = COMMAND_ROWS.map(
    ([name, { does }]) => `complete -c driftless -n __fish_use_subcommand -a ${name} -d ${quoted(does)}`,
  );
  const options = COMMAND_ROWS.flatMap(([name, command]) => {
    const inIt = name === 'start' ? `not __fish_seen_subcommand_from ${others}` : `__fish_seen_subcommand_from ${name}`;
    const offers = command.takes?.offers;
    const argument = Array.isArray(offers) ? [`complete -c driftless -n '${inIt}' -a '${offers.join(' ')}'`] : [];
    return [...optionsOf(command).map((option) => fishOption(inIt, option)), ...argument];
  });
  return `# driftless completion fish: driftless completion fish | source\n${['complete -c driftless -f', ...commands, ...options].join('\n')}\n`;
}

function fishOption(inIt: string, [name, { type, short, offers, does }]: [string, CommandOption]): string {
  const written = short === undefined ? `-l ${name}` : `-s ${short} -l ${name}`;
  const value = type === 'boolean' ? '' : ` ${fishOffer(offers)}`;
  return `complete -c driftless -n '${inIt}' ${written}${value} -d ${quoted(does)}`;
}

function fishOffer(offers: Offered | undefined): string {
  if (offers === undefined) return '-x';
  if (offers === 'files') return '-r -F';
  return offers === 'directories' ? "-x -a '(__fish_complete_directories)'" : `-x -a '${offers.join(' ')}'`;
}

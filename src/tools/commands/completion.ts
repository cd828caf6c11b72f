import type { Command } from './define-command.js'

/** The completion of the command line, as a script of a shell. File names complete what is no option. */
export function renderCompletion(shell: 'bash' | 'zsh', commands: readonly Command[]): string {
  return { bash: renderBash, zsh: renderZsh }[shell](commands)
}

function renderBash(commands: readonly Command[]): string {
  return `_vitrine() {
  local words
  if [ "$COMP_CWORD" = 1 ]; then words='${listNames(commands)}'
  else case "\${COMP_WORDS[1]}" in
${commands.map((command) => `    ${command.name}) words='${listWords(command)}' ;;\n`).join('')}    help) words='${listNames(commands)}' ;;
    *) words= ;;
  esac; fi
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _vitrine vitrine
`
}

function renderZsh(commands: readonly Command[]): string {
  return `#compdef vitrine
_vitrine() {
  if (( CURRENT == 2 )); then compadd -- ${listNames(commands)}
  else case "$words[2]" in
${commands.map((command) => `    ${command.name}) compadd -- ${listWords(command)} ;;\n`).join('')}    help) compadd -- ${listNames(commands)} ;;
  esac; _files; fi
}
compdef _vitrine vitrine
`
}

function listNames(commands: readonly Command[]): string {
  return [...commands.map(({ name }) => name), 'help'].join(' ')
}

function listWords({ choices = [], options }: Command): string {
  return [...choices, ...Object.keys(options).map((option) => `--${option}`), '--help', '--version'].join(' ')
}

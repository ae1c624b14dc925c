import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { loadConfig } from './config.js'
import { DIALECTS } from './dialects.js'
import { CannotRun } from './errors.js'
import { init } from './init.js'
import { badge } from './reports/badge.js'
import { html } from './reports/html.js'
import { json } from './reports/json.js'
import { junit } from './reports/junit.js'
import { summary } from './reports/terminal.js'
import { PROFILES, run } from './run.js'

const USAGE = `Holds a paginated HTTP API against the promises of a good list, while the list is being written to.

  list-kit run URL|FILE    judge a list; without a file, the kit reads only, and writes nothing
  list-kit init URL        ask the API, and write a configuration file
  list-kit dialects        list the kinds of APIs that the kit knows

Options of run
  --profile NAMES          ${Object.keys(PROFILES).join(', ')}; default: all but load
  --list NAMES             only these lists of the file
  --report DIRECTORY       write report.html, report.json, junit.xml, and badge.svg
  --seed NUMBER            repeat the random choices of a run
  --rows NUMBER            rows that the kit writes (24)
  --rounds NUMBER          walks of "concurrent" with writes between the pages (12)
  --seconds NUMBER         how long "concurrent" (3) and "load" (10) write and read at the same time
  --writers, --walkers N   at the same time, in "concurrent" (2, 2) and "load" (2, 20)
  --ratio NUMBER           what a deep page may cost, in first pages (5)
  --no-shrink              do not look for the shortest reproduction of each failure
  --quiet                  print only the summary

Options of run and init
  --dialect NAME           do not recognize it from the answer
  --header 'Name: value'   may be repeated
  --timeout SECONDS        for each call (10)
  --max-limit NUMBER       the largest page (100, or what the API gives)

Options of init
  --write                  try out how to create, change, and delete an item, and remove it again
  --example JSON           an item, if the list is empty
  --field NAME             the connection, for GraphQL
  --output FILE            default: list-kit.yaml

Exit status: 0 nothing failed, 1 something failed, 2 the kit could not run.
`

const OPTIONS = {
  profile: { type: 'string' }, list: { type: 'string' }, report: { type: 'string' }, seed: { type: 'string' }, rows: { type: 'string' },
  rounds: { type: 'string' }, seconds: { type: 'string' }, writers: { type: 'string' }, walkers: { type: 'string' }, ratio: { type: 'string' },
  'no-shrink': { type: 'boolean' }, quiet: { type: 'boolean' }, dialect: { type: 'string' }, header: { type: 'string', multiple: true },
  timeout: { type: 'string' }, 'max-limit': { type: 'string' }, write: { type: 'boolean' }, field: { type: 'string' }, example: { type: 'string' }, output: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
}

/** @returns {Promise<number>} the exit status */
export async function main(args, { out = (text) => process.stdout.write(text), err = (text) => process.stderr.write(text) } = {}) {
  try {
    let parsed
    try {
      parsed = parseArgs({ args, options: OPTIONS, allowPositionals: true })
    } catch (error) {
      throw new CannotRun(`${error.message}\nSee list-kit --help.`)
    }
    const { values, positionals: [command, target, ...more] } = parsed
    if (values.help || command === undefined || command === 'help') {
      out(USAGE)
      return values.help || command === 'help' ? 0 : 2
    }
    if (command === 'dialects') {
      for (const [name, { title }] of Object.entries(DIALECTS)) out(`${name.padEnd(14)}${title}\n`)
      return 0
    }
    if (!['run', 'init'].includes(command)) throw new CannotRun(`There is no command "${command}". See list-kit --help.`)
    if (!target || more.length) throw new CannotRun(`list-kit ${command} takes one ${command === 'run' ? 'URL or file' : 'URL'}.`)
    const config = await configuration(target, values)
    if (command === 'init') return await init(config, { ...values, out })
    return await runCommand(config, values, out, err)
  } catch (error) {
    if (!(error instanceof CannotRun)) throw error
    err(`list-kit: ${error.message}\n`)
    return 2
  }
}

async function configuration(target, values) {
  const config = /^[a-z][a-z0-9+.-]*:\/\//i.test(target) ? { url: target } : await loadConfig(target)
  if (values.dialect) config.dialect = values.dialect
  if (values.timeout) config.timeout = number('timeout', values.timeout)
  if (values['max-limit']) config['max-limit'] = number('max-limit', values['max-limit'])
  for (const header of values.header ?? []) {
    const [, name, value] = /^([^:\s]+):\s*(.*)$/.exec(header) ?? []
    if (!name) throw new CannotRun(`"${header}" is no header: write --header 'Name: value'.`)
    config.headers = { ...config.headers, [name]: value }
  }
  if (values.list) {
    const chosen = values.list.split(',')
    const unknown = chosen.find((name) => !config.lists?.[name])
    if (unknown) throw new CannotRun(`The file has no list "${unknown}", but ${Object.keys(config.lists ?? {}).join(', ') || 'none'}.`)
    config.lists = Object.fromEntries(chosen.map((name) => [name, config.lists[name]]))
  }
  return config
}

function number(name, text) {
  const value = Number(text)
  if (!Number.isFinite(value) || value < 0) throw new CannotRun(`--${name} ${text} is no number.`)
  return value
}

async function runCommand(config, values, out, err) {
  const numbers = Object.fromEntries(['seed', 'rows', 'rounds', 'seconds', 'writers', 'walkers', 'ratio']
    .filter((name) => values[name] !== undefined).map((name) => [name, number(name, values[name])]))
  const profiles = values.profile?.split(',')
  const unknown = profiles?.find((name) => !PROFILES[name])
  if (unknown) throw new CannotRun(`There is no profile "${unknown}". Known are ${Object.keys(PROFILES).join(', ')}.`)
  const { seed, rows, ratio, ...parts } = numbers
  let kit
  // The rows are removed before the process ends. A second Ctrl-C ends it at once.
  const interrupt = () => {
    if (!kit || kit.interrupted) process.exit(130)
    kit.interrupted = true
    err('\nlist-kit: stopping, and removing the rows that it has written …\n')
  }
  process.on('SIGINT', interrupt)
  process.on('SIGTERM', interrupt)
  try {
    const report = await run(config, {
      profiles, seed, rows, ratio, concurrent: parts, load: parts, shrink: !values['no-shrink'],
      say: values.quiet ? () => {} : (text) => out(`${text}\n`), onKit: (started) => { kit = started },
    })
    if (report.interrupted) {
      out(`Interrupted. ${report.left.length === 0 ? 'All rows of the run are removed.' : ''}\n`)
      return 2
    }
    out(summary(report))
    if (values.report) await writeReports(values.report, report, out)
    return report.results.some(({ status }) => status === 'failed') ? 1 : 0
  } finally {
    process.off('SIGINT', interrupt)
    process.off('SIGTERM', interrupt)
  }
}

async function writeReports(directory, report, out) {
  try {
    await mkdir(directory, { recursive: true })
    for (const [file, text] of Object.entries({ 'report.html': html(report), 'report.json': json(report), 'junit.xml': junit(report), 'badge.svg': badge(report) })) {
      await writeFile(join(directory, file), text)
    }
  } catch (error) {
    throw new CannotRun(`The reports cannot be written: ${error.message}`)
  }
  out(`Reports: ${join(directory, 'report.html')}, report.json, junit.xml, badge.svg\n`)
}

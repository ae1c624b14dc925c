import { script } from './script.js'

const MARKS = { passed: '✔', failed: '✘', skipped: '–' }

/** What a person reads at the end of a run. */
export function summary(report) {
  const lines = ['']
  for (const profile of report.profiles) {
    const results = report.results.filter((result) => result.profile === profile)
    const failed = results.filter(({ status }) => status === 'failed')
    const passed = results.filter(({ status }) => status === 'passed')
    const status = failed.length ? 'failed' : passed.length ? 'passed' : 'skipped'
    const counts = failed.length ? `${failed.length} of ${failed.length + passed.length} checks failed` : passed.length ? `${passed.length} checks passed` : 'skipped'
    lines.push(`${MARKS[status]} ${profile.padEnd(12)}${counts}`)
    for (const { check, list, violations } of failed) {
      lines.push(`    ${check}${list ? ` (${list})` : ''}: ${violations[0].message}${violations.length > 1 ? `, and ${violations.length - 1} more` : ''}`)
    }
    const notes = new Set(results.flatMap(({ list, notes: texts }) => texts.map((text) => `${list ? `${list}: ` : ''}${text}`)))
    for (const note of [...notes].slice(0, 8)) lines.push(`    note: ${note}`)
    if (notes.size > 8) lines.push(`    and ${notes.size - 8} more notes`)
  }
  // One reproduction for each profile: the files of --report have all of them.
  const reproduced = report.profiles.map((profile) => {
    const failed = report.results.filter((result) => result.profile === profile && result.status === 'failed')
    return failed.find(({ violations }) => violations.some(({ shrunk }) => shrunk)) ?? failed[0]
  })
  for (const result of reproduced.filter(Boolean)) {
    const violation = result.violations.find(({ shrunk }) => shrunk) ?? result.violations[0]
    lines.push('', `── ${result.profile}/${result.check}${result.list ? ` (${result.list})` : ''}`, script(report, violation))
  }
  const failures = report.results.filter(({ status }) => status === 'failed').length
  lines.push('', `${failures === 0 ? 'Nothing failed' : `${failures} checks failed`}: ${report.dialect} at ${report.url}, ${report.calls} calls in ` +
    `${report.seconds.toFixed(1)} s, seed ${report.seed}.`)
  if (report.left.length) lines.push(`The kit could not delete the rows ${report.left.join(', ')}.`)
  return `${lines.join('\n')}\n`
}

import { script } from './script.js'

/** JUnit XML: a suite for each profile, a case for each check of each list. */
export function junit(report) {
  const suites = report.profiles.map((profile) => {
    const results = report.results.filter((result) => result.profile === profile)
    const count = (status) => results.filter((result) => result.status === status).length
    const cases = results.map((result) => {
      const open = `    <testcase classname="${escape(`${profile}.${result.list || 'all'}`)}" name="${escape(result.check)}" assertions="${result.judged}"`
      if (result.status === 'failed') {
        const violation = result.violations.find(({ shrunk }) => shrunk) ?? result.violations[0]
        return `${open}>\n      <failure message="${escape(violation.message)}">${escape(script(report, violation))}</failure>\n    </testcase>`
      }
      return result.status === 'skipped' ? `${open}>\n      <skipped message="${escape(result.notes[0] ?? '')}"/>\n    </testcase>` : `${open}/>`
    })
    return `  <testsuite name="${profile}" tests="${results.length}" failures="${count('failed')}" skipped="${count('skipped')}">\n${cases.join('\n')}\n  </testsuite>`
  })
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="list-kit ${escape(report.url)}" time="${report.seconds.toFixed(3)}">\n${suites.join('\n')}\n</testsuites>\n`
}

export function escape(text) {
  return String(text).replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`)
    // eslint-disable-next-line no-control-regex
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '�')
}

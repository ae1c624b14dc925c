import { escape } from './junit.js'

/** A badge in the usual form: `list kit | 6 profiles`, or the profiles that failed. */
export function badge(report) {
  const status = (profile) => {
    const results = report.results.filter((result) => result.profile === profile)
    return results.some((result) => result.status === 'failed') ? 'failed' : results.some((result) => result.status === 'passed') ? 'passed' : 'skipped'
  }
  const failed = report.profiles.filter((profile) => status(profile) === 'failed')
  const passed = report.profiles.filter((profile) => status(profile) === 'passed')
  const text = failed.length ? `fails ${failed.join(', ')}` : `passes ${passed.join(', ')}`
  const [left, right] = [56, 14 + text.length * 6.2]
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="list kit: ${escape(text)}">
<rect width="${left}" height="20" fill="#555"/><rect x="${left}" width="${right}" height="20" fill="${failed.length ? '#c33' : '#2a7d2e'}"/>
<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11"><text x="7" y="14">list kit</text><text x="${left + 7}" y="14">${escape(text)}</text></g>
</svg>
`
}

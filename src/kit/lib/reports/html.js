import { compare } from '../order.js'
import { belongs, placeOf } from '../oracle.js'
import { escape } from './junit.js'
import { script } from './script.js'

const STYLE = `body{font:15px/1.5 system-ui,sans-serif;max-width:62rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}
table{border-collapse:collapse}td,th{padding:.15rem .8rem .15rem 0;text-align:left;vertical-align:top}
pre{background:#f4f4f2;padding:.8rem;overflow:auto;font-size:13px}.failed{color:#b11}.passed{color:#2a7d2e}.skipped{color:#777}
svg{max-width:100%;height:auto;border:1px solid #ddd}section{margin:2rem 0}h2{font-size:1.15rem}small{color:#666}`

/** One page that stands alone: what was held, and each failure with a picture of its walk. */
export function html(report) {
  const failed = report.results.filter(({ status }) => status === 'failed')
  const rows = report.results.map(({ profile, check, list, status, judged, notes }) =>
    `<tr><td>${profile}</td><td>${escape(list)}</td><td>${check}</td><td class="${status}">${status}</td><td>${judged}</td><td><small>${escape(notes.join('; '))}</small></td></tr>`)
  const sections = failed.map((result) => {
    const violation = result.violations.find(({ shrunk }) => shrunk) ?? result.violations[0]
    const drawn = [violation, ...result.violations].find(({ walk }) => walk !== undefined)
    return `<section><h2 class="failed">${result.profile}: ${result.check}${result.list ? `, list “${escape(result.list)}”` : ''}</h2>
<p>${escape(violation.message)}${result.violations.length > 1 ? ` <small>(and ${result.violations.length - 1} more)</small>` : ''}</p>
${drawn ? picture(report, drawn) : ''}<pre>${escape(script(report, violation))}</pre></section>`
  })
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>List kit: ${escape(report.url)}</title><style>${STYLE}</style></head>
<body><h1>${failed.length ? `<span class="failed">${failed.length} checks failed</span>` : '<span class="passed">Nothing failed</span>'}</h1>
<p>${escape(report.dialect)} at <code>${escape(report.url)}</code>, ${report.calls} calls in ${report.seconds.toFixed(1)} s, seed ${report.seed}</p>
${sections.join('\n')}
<section><h2>All checks</h2><table><tr><th>profile</th><th>list</th><th>check</th><th>result</th><th>judged</th><th></th></tr>
${rows.join('\n')}</table></section></body></html>
`
}

const [WIDTH, LEFT, TOP, LINE, MOST_LINES] = [920, 150, 30, 14, 60]

/**
 * The walk as a picture: time to the right, places downwards. A line is a row while it stands; a bar is a call for a page;
 * a dot says that the page shows the row; a cross, that a page whose place it was does not.
 */
export function picture(report, violation) {
  const walk = report.walks[violation.walk]
  const list = report.kit.lists.find(({ name }) => name === walk?.list)
  if (!walk?.pages.length || !list) return ''
  const [from, to] = [walk.pages[0].start, walk.pages.at(-1).end]
  const shown = new Map()
  for (const page of walk.pages) for (const item of page.items) if (!shown.has(item.key)) shown.set(item.key, item)
  const stays = []
  for (const row of report.rows.values()) {
    for (const version of row.versions) {
      const end = version.to?.end ?? Infinity
      if (!belongs(version, list) || version.from.start > to || end < from) continue
      stays.push({ key: row.key, place: placeOf(version, row, list), version })
    }
  }
  for (const [key, item] of shown) if (!report.rows.has(key)) stays.push({ key, place: item.values, version: null })
  stays.sort((a, b) => compare(list.order, a.place, b.place) ?? 0)
  const focus = stays.findIndex(({ key }) => key === violation.key)
  const first = Math.max(0, Math.min(stays.length - MOST_LINES, focus - MOST_LINES / 2))
  const lines = stays.slice(first, first + MOST_LINES)
  const span = Math.max(1, to - from)
  const x = (time) => LEFT + 10 + Math.max(-0.01, Math.min(1.01, (time - from) / span)) * (WIDTH - LEFT - 40)
  const y = (index) => TOP + index * LINE + LINE / 2
  const height = TOP + lines.length * LINE + 26
  const parts = []
  walk.pages.forEach((page, i) => {
    const bad = violation.events.includes(page.event)
    parts.push(`<rect x="${x(page.start).toFixed(1)}" y="${TOP - 4}" width="${Math.max(2, x(page.end) - x(page.start)).toFixed(1)}" height="${lines.length * LINE + 8}" fill="${bad ? '#fbd9d5' : '#e8eef6'}"/>`)
    parts.push(`<text x="${x(page.start).toFixed(1)}" y="${TOP - 10}" font-size="10" fill="#555">${i + 1}</text>`)
  })
  lines.forEach(({ key, place, version }, index) => {
    const [start, end] = version ? [version.from.end, version.to?.start ?? Infinity] : [from, to]
    const hot = key === violation.key
    const colour = hot ? '#b11' : version ? '#666' : '#bbb'
    parts.push(`<text x="4" y="${y(index) + 4}" font-size="10" fill="${colour}">${escape(`${key.slice(-8)} ${place.slice(0, 1).map((value) => value === null ? 'null' : String(value ?? '').slice(-16)).join('')}`)}</text>`)
    parts.push(`<line x1="${x(start).toFixed(1)}" x2="${x(end).toFixed(1)}" y1="${y(index)}" y2="${y(index)}" stroke="${colour}" stroke-width="${hot ? 2.5 : 1.2}"/>`)
    if (version && start > from) parts.push(`<path d="M${x(start).toFixed(1)} ${y(index) - 4}v8" stroke="#2a7d2e" stroke-width="2"><title>written</title></path>`)
    if (end < to) parts.push(`<path d="M${x(end).toFixed(1)} ${y(index) - 4}v8" stroke="#b11" stroke-width="2"><title>moved or deleted</title></path>`)
    for (const page of walk.pages) {
      const at = x((page.start + page.end) / 2).toFixed(1)
      if (page.items.some((item) => item.key === key)) parts.push(`<circle cx="${at}" cy="${y(index)}" r="3.4" fill="${hot ? '#b11' : '#1f5fa8'}"><title>shown</title></circle>`)
      else if (hot && page.event === violation.events.at(-1)) parts.push(`<path d="M${at - 4} ${y(index) - 4}l8 8m0-8l-8 8" stroke="#b11" stroke-width="2"><title>missed</title></path>`)
    }
  })
  parts.push(`<text x="${LEFT}" y="${height - 8}" font-size="10" fill="#555">time → ${span.toFixed(0)} ms; bars: pages; lines: rows while they stand; dots: shown; cross: missed; green: written; red: moved or deleted</text>`)
  return `<svg viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="The walk in which the check failed">${parts.join('')}</svg>\n`
}

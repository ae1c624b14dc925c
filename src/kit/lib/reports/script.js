const MOST_CALLS = 10

/**
 * The shortest reproduction of a failure: at most ten calls, as `curl` and SQL lines. If the kit has found a small case that
 * fails the same way, it is that case, which the kit has carried out; otherwise the calls around the failure.
 */
export function script(report, violation) {
  const events = violation.shrunk?.events ?? excerpt(report, violation)
  const lines = [`# ${violation.message}`]
  lines.push(violation.shrunk ? `# ${events.length} calls, carried out as written; seed ${report.seed}` : `# the calls around the failure; seed ${report.seed}`)
  for (const event of events) lines.push(...render(event))
  return lines.join('\n')
}

/** The pages of a violation, and the writes that concern its row or happened between its pages, as far as ten calls go. */
export function excerpt(report, violation) {
  const pages = [...new Set(violation.events)].map((index) => ({ ...report.history[index], index })).filter((event) => event.type)
  const from = Math.min(...pages.map(({ start }) => start))
  const to = Math.max(...pages.map(({ end }) => end))
  const listed = new Set(pages.map(({ index }) => index))
  const writes = report.history.map((event, index) => ({ ...event, index })).filter((event) => event.type === 'write' && event.ok && !listed.has(event.index))
  const own = writes.filter((event) => violation.key !== undefined && event.key === violation.key && event.start < to)
  const between = writes.filter((event) => event.start > from && event.end < to && !own.includes(event))
  const chosen = [...pages.slice(-6), ...own.slice(-2)]
  chosen.push(...between.slice(-Math.max(0, MOST_CALLS - chosen.length)))
  return chosen.sort((a, b) => a.start - b.start).slice(-MOST_CALLS)
}

function* render(event) {
  if (event.type === 'write' && event.sql) {
    yield `psql -c ${double(event.sql)}${event.op === 'create' ? `    # row ${event.key}` : ''}`
    return
  }
  const { request } = event
  if (!request) return
  const method = request.method ?? 'GET'
  const headers = Object.entries(request.headers ?? {}).map(([name, value]) => ` -H ${quote(`${name}: ${value}`)}`).join('')
  const body = request.body === undefined ? '' : ` -H 'content-type: application/json' -d ${quote(JSON.stringify(request.body))}`
  yield `curl -sg${method === 'GET' ? '' : ` -X ${method}`}${headers} ${quote(request.url)}${body}`
  if (event.type === 'write') yield `#   ${event.op} of row ${event.key}`
  else if (event.keys) yield `#   status ${event.status}, rows ${event.keys.join(' ') || 'none'}${event.next === null ? ', the end' : ''}`
  else yield `#   status ${event.status}`
}

function double(text) {
  return /[$`"\\!]/.test(text) ? quote(text) : `"${text}"`
}

function quote(text) {
  return `'${text.replaceAll("'", "'\\''")}'`
}

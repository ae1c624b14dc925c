const MOST_CALLS = 10

/**
 * The shortest reproduction of a failure, as a shell script of at most ten lines with `curl`, `jq`, and `psql`. If the kit
 * has found a small case that fails the same way, it is that case, which the kit has carried out by itself; otherwise the
 * calls around the failure.
 */
export function script(report, violation) {
  const { shrunk } = violation
  const events = shrunk?.events ?? excerpt(report, violation)
  const lines = [`# ${violation.message}`]
  lines.push(`# ${shrunk ? `${events.length} calls, carried out as written` : 'the calls around the failure'}; seed ${report.seed}`)
  return [...lines, ...render(events, shrunk ? labelsOf(events) : new Map())].join('\n')
}

/** The rows that the calls create, by their keys: row1, row2, … */
export function labelsOf(events) {
  const created = events.filter(({ type, op, ok }) => type === 'write' && op === 'create' && ok)
  return new Map(created.map(({ key }, index) => [key, `row${index + 1}`]))
}

/** How many lines the calls need. Rows that are alike are written in a loop. */
export function lineCount(events) {
  return groups(events).length
}

function groups(events) {
  const found = []
  for (const event of events) {
    const last = found.at(-1)
    if (last && event.op === 'create' && last[0].op === 'create' && JSON.stringify(last[0].fields) === JSON.stringify(event.fields)) last.push(event)
    else found.push([event])
  }
  return found
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

function* render(events, labels) {
  const sources = new Map()
  let pages = 0
  for (const group of groups(events)) {
    const [event] = group
    if (event.type === 'write') {
      yield* renderWrite(event, labels, group.length)
      continue
    }
    // A later call takes the place from this answer.
    const tokens = Object.entries(event.tokens ?? {}).filter(([, token]) => events.some((other) => other !== event && usesToken(other, token)))
    const command = event.stream ? `${curl(event, labels, sources)} -N & sleep 1` : curl(event, labels, sources)
    if (tokens.length) {
      const name = `page${++pages}`
      for (const [path, token] of tokens) sources.set(token, takeFrom(name, path))
      const headers = tokens.some(([path]) => path.startsWith('rel:')) ? ` -D ${name}.headers` : ''
      yield `${name}=$(${command}${headers}); echo "$${name}"`
    } else {
      yield command
    }
    yield event.keys ? `#   status ${event.status}, ${event.keys.length ? `rows ${event.keys.map((key) => labels.get(key) ?? key).join(' ')}` : 'no rows'}${event.next === null ? ', the end' : ''}` : `#   status ${event.status}`
  }
  if (events.some(({ stream }) => stream)) yield 'sleep 1; kill %1'
}

function* renderWrite(event, labels, count) {
  const label = event.op === 'create' ? labels.get(event.key) : undefined
  const named = (text) => [...labels].reduce((all, [key, name]) => all.replaceAll(`'${key}'`, `'$${name}'`), text)
  const path = event.keyPath && jq(event.keyPath)
  let command
  if (event.sql) command = `psql -qAtc ${event.op === 'create' ? double(event.sql) : double(named(event.sql), true)}`
  else if (event.request) command = curl(event, labels, new Map())
  else return
  const key = event.sql ? ' | cut -d "|" -f 1' : path ? ` | jq -r ${quote(path)}` : null
  if (label && key) yield count > 1 ? `for n in $(seq ${count}); do printf -v row$n %s "$(${command}${key})"; done` : `${label}=$(${command}${key})`
  else yield `${command}${event.sql ? '' : ' -o /dev/null'}${event.op === 'create' ? `    # row ${event.key}` : ''}`
}

function usesToken({ request, place }, token) {
  if (!request?.url) return false
  return place?.token === token || request.url === token || [...new URL(request.url).searchParams.values()].includes(token)
}

function curl({ request, place }, labels, sources) {
  const method = request.method ?? 'GET'
  const headers = Object.entries(request.headers ?? {}).map(([name, value]) => ` -H ${quote(`${name}: ${value}`)}`).join('')
  const start = `curl -sg${method === 'GET' ? '' : ` -X ${method}`}${headers}`
  if (request.body !== undefined) {
    let body = quote(JSON.stringify(request.body))
    if (sources.has(place?.token)) body = body.replace(JSON.stringify(place.token), `"'"${sources.get(place.token)}"'"`)
    return `${start} ${address(request.url, labels)} -H 'content-type: application/json' -d ${body}`
  }
  if (sources.has(request.url)) return `${start} "${sources.get(request.url)}"`
  const url = new URL(request.url)
  const taken = [...url.searchParams].filter(([, value]) => sources.has(value) || labels.has(value))
  if (taken.length === 0 || method !== 'GET') return `${start} ${address(request.url, labels)}`
  for (const [name] of taken) url.searchParams.delete(name)
  return `${start} -G ${quote(url.href)}${taken.map(([name, value]) => ` --data-urlencode "${name}=${sources.get(value) ?? `$${labels.get(value)}`}"`).join('')}`
}

/** The URL, with the key of a row as a variable. */
function address(url, labels) {
  if (labels.has(url)) return `"$${labels.get(url)}"`
  const [path, ...query] = url.split('?')
  const segments = path.split('/')
  const label = labels.get(decodeURIComponent(segments.at(-1)))
  return label ? `"${[...segments.slice(0, -1), `$${label}`].join('/')}${query.length ? `?${query.join('?')}` : ''}"` : quote(url)
}

function takeFrom(name, path) {
  if (path.startsWith('rel:')) return `$(sed -nE 's/^link:.*<([^>]*)>; *rel="?${path.slice(4)}.*/\\1/pi' ${name}.headers)`
  return `$(jq -r ${quote(jq(path))} <<<"$${name}")`
}

/** A path as jq writes it. */
function jq(path) {
  if (path.startsWith('@') || !/^[\w.[\]]+$/.test(path)) return `.[${JSON.stringify(path)}]`
  return `.${path}`
}

function double(text, variables = false) {
  if (/[$`"\\!]/.test(variables ? text.replace(/\$row\d+/g, '') : text)) return quote(text)
  return `"${text}"`
}

function quote(text) {
  return `'${text.replaceAll("'", "'\\''")}'`
}

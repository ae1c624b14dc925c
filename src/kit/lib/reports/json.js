/** Everything that the kit knows of the run: the results, and the history of all calls in the sequence of their starts. */
export function json(report) {
  const { url, dialect, seed, profiles, lists, calls, seconds, results, history, walks } = report
  const start = Math.min(...history.map((event) => event.start))
  const relative = (time) => Number.isFinite(time) ? Math.round((time - start) * 1000) / 1000 : null
  const events = history.map((event, id) => ({ id, ...call(event), start: relative(event.start), end: relative(event.end) }))
  events.sort((a, b) => a.start - b.start)
  return `${JSON.stringify({
    version: 1, url, dialect, seed, profiles, lists, calls, seconds,
    results: results.map(({ violations, ...result }) => ({ ...result, violations: violations.map(({ shrunk, ...violation }) => ({ ...violation, ...(shrunk ? { shrunk: shrunk.events.map(call) } : {}) })) })),
    walks: walks.map(({ id, list, direction, limit, ended, pages }) => ({ id, list, direction, limit, ended, pages: pages.map(({ event }) => event) })),
    history: events,
  }, null, 1)}\n`
}

function call({ request, body, ...event }) {
  return { ...event, request: redact(request) }
}

/** The headers of the configuration are not part of a request, so no secret of theirs is here. */
function redact(request) {
  return request && { method: request.method ?? 'GET', url: request.url, ...(request.body === undefined ? {} : { body: request.body }) }
}

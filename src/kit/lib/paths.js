/**
 * Reads a value out of JSON: `data.items`, `rows[0].id`; `$` is the whole; `*` is the first array among the members
 * (`_embedded.*`). A missing value is undefined.
 *
 * @param {any} value
 * @param {string} path
 */
export function read(value, path) {
  if (path === '$') return value
  // A name may itself have dots, such as @odata.nextLink.
  if (value !== null && typeof value === 'object' && Object.hasOwn(value, path)) return value[path]
  for (const step of path.replace(/\[(\d+)\]/g, '.$1').split('.')) {
    if (value === null || typeof value !== 'object') return undefined
    if (step === '*') value = Object.values(value).find(Array.isArray)
    else if (step !== '$' && step !== '') value = value[step]
  }
  return value
}

/** Replaces `{{name}}` in all strings of a template. A string that is only `{{name}}` takes the value with its JSON type. */
export function fill(template, values, encode = (value) => String(value)) {
  if (typeof template === 'string') {
    const whole = /^\{\{\s*([\w.-]+)\s*\}\}$/.exec(template)
    if (whole && encode === fill.plain) return valueOf(whole[1], values)
    return template.replace(/\{\{\s*([\w.-]+)\s*\}\}/g, (_, name) => {
      const value = valueOf(name, values)
      return value === null ? '' : encode(value)
    })
  }
  if (Array.isArray(template)) return template.map((element) => fill(element, values, encode))
  if (template && typeof template === 'object') {
    return Object.fromEntries(Object.entries(template).map(([name, value]) => [name, fill(value, values, encode)]))
  }
  return template
}
fill.plain = (value) => String(value)

function valueOf(name, values) {
  if (!(name in values)) throw new Error(`The template has {{${name}}}, but only ${Object.keys(values).join(', ')} exist.`)
  return values[name]
}

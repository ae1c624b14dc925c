/** Creates an element without parsing markup, so that text is never interpreted as HTML. */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) {
      element.addEventListener(name.slice(2), value);
    } else if (value !== null && value !== undefined && value !== false) {
      element.setAttribute(name, value === true ? '' : value);
    }
  }
  element.append(...children.filter(child => child !== null));
  return element;
}

/** Returns a JSON value as text, or null if it is null. */
export function valueText(value) {
  return value === null || value === undefined ? null : typeof value === 'object' ? JSON.stringify(value) : String(value);
}

const HINTS = {eq: 'is', gte: '≥', gt: '>', lte: '≤', lt: '<', prefix: 'begins with', contains: 'contains', is: 'null?'};

/** Creates the input fields for a feed's filters. The user separates several values of an equality filter by commas. */
export function controls(feed, onChange = () => {}) {
  const inputs = new Map();
  const labels = new Map();
  const elements = [];
  for (const {column, type, operators} of feed?.filters ?? []) {
    for (const operator of operators) {
      const name = operator === 'eq' ? column : `${column}.${operator}`;
      const input = operator === 'is'
        ? el('select', {}, el('option', {value: ''}, 'any'), el('option', {value: 'null'}, 'null'), el('option', {value: 'notnull'}, 'not null'))
        : el('input', {placeholder: type, autocomplete: 'off'});
      input.name = name;
      input.addEventListener('change', () => {
        input.classList.toggle('set', input.value !== '');
        onChange();
      });
      inputs.set(name, input);
      const label = `${column} ${HINTS[operator] ?? operator}`;
      labels.set(input, label);
      elements.push(el('label', {}, label, input));
    }
  }
  const parameters = () => Object.fromEntries([...inputs]
    .filter(([, input]) => input.value !== '')
    .map(([name, input]) => [name, name.includes('.') ? input.value : input.value.split(',').map(value => value.trim())]));
  const description = () => [...labels]
    .filter(([input]) => input.value !== '')
    .map(([input, label]) => `${label} ${input.value}`).join(', ');
  return {elements, parameters, description};
}

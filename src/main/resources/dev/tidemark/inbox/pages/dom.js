/**
 * Creates an element without parsing markup, so that text is never interpreted as HTML. For example:
 * `el('p', {class: 'note', onclick: act}, 'text', otherElement)`. Attributes that are null or false are omitted.
 */
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

/** Isolates text that a user wrote, so that its writing direction does not affect the surrounding text. */
export const userText = text => el('bdi', {}, text);

const THIS_YEAR = new Date().getFullYear();
const day = new Intl.DateTimeFormat(undefined, {day: 'numeric', month: 'short'});
const year = new Intl.DateTimeFormat(undefined, {day: 'numeric', month: 'short', year: 'numeric'});
const time = new Intl.DateTimeFormat(undefined, {hour: '2-digit', minute: '2-digit'});
const full = new Intl.DateTimeFormat(undefined, {dateStyle: 'full', timeStyle: 'medium'});

/** Shows a timestamp in short form: the time if it is today, the day and month if it is this year, otherwise the date. */
export function timestamp(text) {
  const date = new Date(text);
  const isToday = date.toDateString() === new Date().toDateString();
  const short = isToday ? time : date.getFullYear() === THIS_YEAR ? day : year;
  return el('time', {datetime: text, title: full.format(date)}, short.format(date));
}

/** Announces the text to screen readers, without interrupting them. */
export function announce(text) {
  document.getElementById('said').textContent = text;
}

export function toast(text, action = null) {
  const note = el('div', {class: 'toast', role: 'status'}, el('span', {}, text), action);
  document.getElementById('toasts').append(note);
  const leave = () => note.remove();
  action?.addEventListener('click', leave);
  setTimeout(leave, action ? 8_000 : 5_000);
}

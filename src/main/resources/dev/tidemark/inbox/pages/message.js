import {el, timestamp, userText, toast} from './dom.js';
import {assigneeOf, avatar, colorDot} from './people.js';
import {writes} from './writes.js';

const STATUSES = {open: 'Open', pending: 'Pending', closed: 'Closed'};

/** A message as a row of the list. Its link is the URL of the message. */
export function messageRow(item) {
  const name = `subject-${item.id}`;
  return el('article', {class: `row${item.deleted ? ' deleted' : ''}${item.gone ? ' gone' : ''}`, 'data-id': item.id, 'aria-labelledby': name},
      avatar(item.customer),
      el('div', {class: 'row-top'},
          el('a', {id: name, class: 'subject', href: `#message-${item.id}`, tabindex: '-1', dir: 'auto'}, userText(item.subject)),
          timestamp(item.created_at)),
      el('p', {class: 'snippet', dir: 'auto'}, item.customer ? el('b', {class: 'customer'}, userText(item.customer.name)) : null, userText(item.body.replace(/\s+/g, ' ').slice(0, 160))),
      el('div', {class: 'row-foot'},
          badge(item),
          item.assignee ? el('span', {class: 'assignee'}, colorDot(item.agent), userText(assigneeOf(item)))
            : el('span', {class: 'assignee none'}, 'unassigned'),
          item.edited_at && !item.deleted ? el('span', {class: 'edited'}, 'edited ', timestamp(item.edited_at)) : null));
}

function badge(item) {
  return item.deleted
    ? el('span', {class: 'badge gone'}, 'Deleted')
    : el('span', {class: `badge ${item.status}`}, STATUSES[item.status] ?? item.status);
}

/**
 * The detail pane. After the server has saved a change, the pane calls `onChange`, which shows the change in the pane and the
 * list.
 */
export class MessagePane {
  #pane;
  #onChange;
  #onClose;
  #assignees;
  #item = null;

  constructor(pane, {onChange, onClose, assignees}) {
    this.#pane = pane;
    this.#onChange = onChange;
    this.#onClose = onClose;
    this.#assignees = assignees;
  }

  get id() {
    return this.#item?.id ?? null;
  }

  /** Whether a form is open. If the pane showed another message, the content of the form would be lost. */
  get isFormOpen() {
    return this.#pane.querySelector('form') !== null;
  }

  show(item) {
    const hadFocus = this.#pane.contains(document.activeElement);
    const label = document.activeElement?.getAttribute('aria-label');
    this.#item = item;
    this.#pane.hidden = false;
    this.#pane.replaceChildren(this.#head(item), this.#body(item));
    if (hadFocus) {
      const same = label && this.#pane.querySelector(`[aria-label="${label}"]`);
      (same || this.#pane.querySelector('h2')).focus({preventScroll: true});
    }
  }

  /** Shows that there is no message with this id. */
  showMissing(id) {
    this.#item = null;
    this.#pane.hidden = false;
    this.#pane.replaceChildren(this.#back(), el('div', {class: 'blank'},
        el('p', {class: 'blank-title'}, `There is no message ${id}`), el('p', {}, 'It was deleted or never existed.')));
  }

  /** Shows that the message could not be loaded. */
  showError(id, error, again) {
    this.showMissing(id);
    this.#pane.querySelector('.blank').replaceChildren(
        el('p', {class: 'blank-title'}, `Message ${id} could not be loaded`), el('p', {}, error.message),
        el('button', {type: 'button', onclick: again}, 'Try again'));
  }

  close() {
    this.#item = null;
    this.#pane.hidden = true;
    this.#pane.replaceChildren();
  }

  #back() {
    return el('button', {type: 'button', class: 'back', onclick: this.#onClose}, '‹ Inbox');
  }

  #head(item) {
    return el('header', {class: 'message-head'},
        this.#back(),
        el('h2', {dir: 'auto', tabindex: '-1'}, userText(item.subject)),
        el('p', {class: 'facts'}, badge(item), ` #${item.id} · `, timestamp(item.created_at),
            ...(item.edited_at ? [' · edited ', timestamp(item.edited_at)] : [])),
        item.customer ? el('p', {class: 'sender'}, avatar(item.customer), userText(item.customer.name)) : null,
        item.deleted ? el('button', {type: 'button', onclick: () => this.#restore()}, 'Restore') : this.#tools(item));
  }

  #tools(item) {
    return el('div', {class: 'tools'},
        this.#select('Status', item.status, Object.entries(STATUSES), status => this.#edit({status})),
        this.#select('Assignee', item.assignee ?? '', [['', 'nobody'], ...this.#assignees()],
            assignee => this.#edit({assignee})),
        el('button', {type: 'button', onclick: () => this.#form(item)}, 'Edit'),
        el('button', {type: 'button', class: 'danger', onclick: () => this.#remove()}, 'Delete'));
  }

  #select(label, chosen, options, act) {
    const select = el('select', {'aria-label': label, onchange: event => act(event.target.value)},
        ...options.map(([value, text]) => el('option', {value, selected: value === chosen}, text)));
    return el('label', {class: 'tool'}, el('span', {}, label), select);
  }

  #body(item) {
    return el('div', {class: 'message-body', dir: 'auto'}, ...item.body.split(/\n{2,}/).map(part => el('p', {dir: 'auto'}, part)));
  }

  #form(item) {
    const subject = el('input', {name: 'subject', required: true, maxlength: '200', value: item.subject, dir: 'auto'});
    const body = el('textarea', {name: 'body', required: true, rows: '9', maxlength: '20000', dir: 'auto'});
    body.value = item.body;
    const save = event => {
      event.preventDefault();
      this.#edit({subject: subject.value, body: body.value});
    };
    this.#pane.lastElementChild.replaceWith(el('form', {class: 'edit', onsubmit: save},
        el('label', {}, 'Subject', subject),
        el('label', {}, 'Message', body),
        el('div', {class: 'buttons'},
            el('button', {type: 'button', onclick: () => this.show(item)}, 'Cancel'),
            el('button', {type: 'submit', class: 'primary'}, 'Save'))));
    subject.focus();
  }

  #edit(changes) {
    return this.#write(id => writes.edit(id, changes), {});
  }

  async #remove() {
    const id = this.id;
    if (await this.#write(() => writes.remove(id), {deleted: true})) {
      toast('Message deleted', el('button', {type: 'button', onclick: () => this.#restore(id)}, 'Undo'));
    }
  }

  #restore(id = this.id) {
    return this.#write(() => writes.restore(id), {deleted: false}, id);
  }

  async #write(act, facts, id = this.id) {
    try {
      await act(id);
      await this.#onChange(id, facts);
      return true;
    } catch (error) {
      toast(error.message);
      if (this.id === id && !this.#pane.querySelector('form')) {
        this.show(this.#item);
      }
      return false;
    }
  }
}

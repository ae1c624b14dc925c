import {el} from './dom.js';

/**
 * Shows a FeedList in a scroller, and has it read on whenever an end, or a hole, comes near.
 *
 * What is on the screen stays where it is: whatever is added above is scrolled past in the same breath. That is done here
 * and not left to the browser's scroll anchoring, which not all of them have, and which lets go at the very top.
 */
export class ListView {
  #scroller;
  #feed;
  #above;
  #below;
  #row;
  #onChange;
  #onFail;
  #list = null;
  #again = null;
  #busy = 0;
  #marks = new WeakMap();
  #failed = new Set();
  #elements = new Map();
  #due = false;

  /**
   * @param row makes the element of an item
   * @param onChange called when pages were added or dropped
   * @param onFail called with an error, and with what tries again if the list does not offer that itself
   */
  constructor({scroller, feed, above, below, row, onChange = () => {}, onFail = () => {}}) {
    Object.assign(this, {blank: {title: 'Nothing here', text: ''}});
    this.#scroller = scroller;
    this.#feed = feed;
    this.#above = above;
    this.#below = below;
    this.#row = row;
    this.#onChange = onChange;
    this.#onFail = onFail;
    scroller.addEventListener('scroll', () => this.#soon(), {passive: true});
    new ResizeObserver(() => this.#soon()).observe(scroller);
  }

  get list() {
    return this.#list;
  }

  /** Turns to another list. It comes back as it was left, or at the place where the mark says. */
  async show(list, mark = null) {
    if (this.#list) {
      this.#marks.set(this.#list, this.mark());
      this.#list.cancel();
    }
    this.#list = list;
    this.#failed.clear();
    if (list.pages.length > 0) {
      this.#renderAll();
      this.#return(this.#marks.get(list));
      this.#changed();
    } else {
      await this.start(mark?.place ?? {}, mark);
    }
  }

  /** Starts the list anew at a place. Tells whether that went well; else the reason stands where the list would. */
  async start(place = {}, mark = null) {
    const list = this.#list;
    this.#again = () => this.start(place, mark);
    this.#failed.clear();
    if (list.pages.length === 0) {
      this.#elements.clear();
      this.#feed.replaceChildren(...Array.from({length: 12}, () => el('div', {class: 'skeleton', 'aria-hidden': true})));
    }
    this.#edges('next');
    const done = await this.#attempt('start', () => startAt(list, place), list);
    if (done) {
      this.#renderAll();
      this.#return(mark);
      this.#changed();
    }
    return done;
  }

  /** Reads what is newer, and shows it. */
  async refresh() {
    const list = this.#list;
    const held = list.pages.at(-1);
    const done = await this.#attempt('refresh', () => list.refresh(), list);
    if (done) {
      if (list.pages.at(-1) === held) {
        this.#keeping(() => this.#insertMissing());
      } else {
        this.#renderAll();
      }
      this.#scroller.scrollTop = 0;
      this.#changed();
    }
    return done;
  }

  /** Reads what has come behind the end. */
  follow() {
    return this.#load('next', () => this.#list.next());
  }

  /** Tries again at once what failed or waits for its next attempt. */
  retry() {
    this.#list?.hurry();
    const nothingYet = this.#failed.has('start') && this.#list.pages.length === 0;
    this.#failed.clear();
    if (nothingYet) {
      this.#again();
    } else {
      this.#keeping(() => this.#feed.querySelectorAll('.trouble').forEach(one => one.remove()));
      this.#edges();
      this.#pump();
    }
  }

  /** Where the list stands: the first item on the screen, how far it is scrolled off it, and how to get there again. */
  mark() {
    const row = this.#firstOnScreen();
    if (!row) {
      return null;
    }
    const page = this.#list.pages.find(one => this.#elements.get(one)?.contains(row));
    return {id: row.dataset.id, offset: this.#topOf(row), place: this.#list.placeOf(page)};
  }

  rowOf(id) {
    return this.#feed.querySelector(`[data-id="${CSS.escape(id)}"]`);
  }

  itemOf(id) {
    return this.#list?.items.find(item => item.id === id) ?? null;
  }

  /** Shows an item anew where it stands. It keeps its place, also if it no longer belongs here: until the next refresh. */
  replace(id, changes) {
    const item = this.itemOf(id);
    const row = this.rowOf(id);
    if (!item || !row) {
      return;
    }
    Object.assign(item, changes);
    const fresh = this.#row(item);
    for (const name of ['aria-posinset', 'aria-setsize', 'aria-current', 'tabindex']) {
      row.hasAttribute(name) && fresh.setAttribute(name, row.getAttribute(name));
    }
    const hadFocus = row.contains(document.activeElement);
    row.replaceWith(fresh);
    hadFocus && fresh.focus({preventScroll: true});
  }

  /** The row so many further than one, or the first on the screen. */
  neighbour(row, step) {
    const rows = [...this.#feed.querySelectorAll('[data-id]')];
    const at = rows.indexOf(row);
    return at < 0 ? this.#firstOnScreen() : rows[Math.min(rows.length - 1, Math.max(0, at + step))];
  }

  /** Moves the focus to a row; by Tab, the list is entered there again. */
  focus(row) {
    this.#feed.querySelector('[tabindex="0"]')?.setAttribute('tabindex', '-1');
    row.setAttribute('tabindex', '0');
    row.focus({preventScroll: true});
    row.scrollIntoView({block: 'nearest'});
  }

  // Reading on

  #soon() {
    if (!this.#due) {
      this.#due = true;
      requestAnimationFrame(() => {
        this.#due = false;
        this.#pump();
      });
    }
  }

  #pump() {
    const list = this.#list;
    if (!list || list.pages.length === 0) {
      return;
    }
    const {scrollTop, clientHeight, scrollHeight} = this.#scroller;
    if (!list.atEnd && scrollHeight - scrollTop - clientHeight < 2 * clientHeight) {
      this.#load('next', () => list.next());
    }
    if (!list.atStart && scrollTop < clientHeight) {
      this.#load('previous', () => list.previous());
    }
    for (const page of list.pages.filter(one => one.hole)) {
      const end = this.#elements.get(page).getBoundingClientRect().bottom - this.#scroller.getBoundingClientRect().top;
      if (end > -clientHeight && end < 2 * clientHeight) {
        this.#load(page, () => list.fill(page));
      }
    }
  }

  async #load(what, read) {
    if (this.#failed.has(what)) {
      return;
    }
    const list = this.#list;
    this.#edges(what);
    if (await this.#attempt(what, read, list)) {
      this.#keeping(() => this.#insertMissing());
      this.#changed();
    }
  }

  /** Whether it was read, and its list is still the one that is shown. */
  async #attempt(what, read, list) {
    this.#feed.setAttribute('aria-busy', ++this.#busy > 0);
    try {
      await read();
      return list === this.#list;
    } catch (error) {
      if (list === this.#list && error.name !== 'AbortError') {
        this.#fail(what, error);
      }
      return false;
    } finally {
      this.#feed.setAttribute('aria-busy', --this.#busy > 0);
    }
  }

  #fail(what, error) {
    if (error.mustStartAgain && what !== 'start') {
      this.start();
      return;
    }
    const isRead = this.#list.pages.length > 0;
    if (what === 'refresh' || (what === 'start' && isRead)) {
      // The list stays, and neither of its ends is where one looks now.
      this.#edges();
      const list = this.#list;
      const again = what === 'start' ? this.#again : () => this.refresh();
      this.#onFail(error, () => list === this.#list && again());
      return;
    }
    this.#failed.add(what);
    this.#feed.querySelectorAll('.skeleton').forEach(one => one.remove());
    const trouble = el('div', {class: 'trouble', role: 'alert'},
        el('p', {}, what === 'start' ? 'The list could not be read.' : 'The list could not be read on.'),
        el('p', {class: 'reason'}, navigator.onLine ? error.message : 'You are offline.'),
        el('button', {type: 'button', onclick: () => this.retry()}, 'Try again'));
    if (what === 'previous') {
      this.#above.replaceChildren(trouble);
    } else if (what === 'next' || !isRead) {
      this.#below.replaceChildren(trouble);
    } else {
      this.#keeping(() => this.#elements.get(what).append(trouble));
    }
    this.#onFail(error, null);
  }

  // Showing

  #renderAll() {
    this.#elements.clear();
    this.#feed.replaceChildren();
    this.#insertMissing();
    this.#scroller.scrollTop = 0;
  }

  #insertMissing() {
    let after = null;
    for (const page of this.#list.pages) {
      if (!this.#elements.has(page)) {
        const rows = page.items.map(item => this.#row(item));
        const element = el('div', {class: 'page', role: 'presentation'}, ...rows);
        this.#elements.set(page, element);
        after ? after.after(element) : this.#feed.prepend(element);
      }
      after = this.#elements.get(page);
      after.classList.toggle('holed', page.hole !== null);
    }
    this.#number();
    this.#edges();
  }

  #number() {
    const rows = this.#feed.querySelectorAll('[data-id]');
    rows.forEach((row, at) => {
      row.setAttribute('aria-posinset', at + 1);
      row.setAttribute('aria-setsize', '-1');
      row.hasAttribute('tabindex') || row.setAttribute('tabindex', '-1');
    });
    this.#feed.querySelector('[tabindex="0"]') || rows[0]?.setAttribute('tabindex', '0');
  }

  #edges(loading = null) {
    const list = this.#list;
    const isRead = list.pages.length > 0;
    this.#above.classList.toggle('closed', !isRead || list.atStart);
    this.#failed.has('previous') || this.#above.replaceChildren(...(loading === 'previous' ? [spinner()] : []));
    if (isRead && list.isEmpty) {
      const {title, text} = this.blank;
      this.#below.replaceChildren(el('div', {class: 'blank'}, el('p', {class: 'blank-title'}, title), el('p', {}, text),
          el('button', {type: 'button', onclick: () => this.start()}, 'Look again')));
    } else if (isRead && list.atEnd) {
      this.#below.replaceChildren(el('p', {class: 'end'}, 'This is the end of the list'));
    } else if (!this.#failed.has('next')) {
      this.#below.replaceChildren(...(loading === 'next' && isRead ? [spinner()] : []));
    }
  }

  #changed() {
    this.#onChange(this.#list);
    this.#soon();
  }

  // Keeping the place

  #keeping(change) {
    const row = this.#firstOnScreen();
    const before = row ? this.#topOf(row) : 0;
    change();
    if (row) {
      this.#scroller.scrollTop += this.#topOf(row) - before;
    }
  }

  /** To where the mark says, else to the first item. */
  #return(mark) {
    const marked = mark?.id && this.rowOf(mark.id);
    const row = marked || this.#feed.querySelector('[data-id]');
    if (row) {
      this.#scroller.scrollTop += this.#topOf(row) - (marked ? mark.offset : 0);
    }
  }

  #topOf(row) {
    return row.getBoundingClientRect().top - this.#scroller.getBoundingClientRect().top;
  }

  #firstOnScreen() {
    const top = this.#scroller.getBoundingClientRect().top;
    const isBelow = element => element.getBoundingClientRect().bottom > top + 1;
    const page = [...this.#feed.querySelectorAll('.page')].find(isBelow);
    return page ? [...page.querySelectorAll('[data-id]')].find(isBelow) ?? null : null;
  }
}

/** A place of an earlier visit may be gone: its message deleted, the server's keys changed. */
async function startAt(list, place) {
  try {
    return await list.start(place);
  } catch (error) {
    if (Object.keys(place).length > 0 && (error.mustStartAgain || error.code === 'anchor_not_found')) {
      return list.start();
    }
    throw error;
  }
}

function spinner() {
  return el('div', {class: 'spinner'}, el('span', {class: 'unseen'}, 'Loading'));
}

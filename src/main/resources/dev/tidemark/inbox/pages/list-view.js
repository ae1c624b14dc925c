import {el} from './dom.js';

/**
 * Displays a FeedList in a scroller, and loads more pages when the user scrolls near an end or a hole.
 *
 * Visible items keep their positions: when items are added above them, the view adjusts the scroll position at once. It does
 * not use the browser's scroll anchoring, which some browsers lack, and which does not work at the top of the scroller.
 */
export class ListView {
  #scroller;
  #feed;
  #above;
  #below;
  #row;
  #onChange;
  #onFail;
  #onLive;
  #unsubscribe = () => {};
  #list = null;
  #restart = null;
  #busy = 0;
  #marks = new WeakMap();
  #failed = new Set();
  /** The searches that have found nothing on the pages that were read last, and go on when the user wants it. */
  #paused = new WeakSet();
  #elements = new Map();
  #shown = new WeakMap();
  #isScheduled = false;

  /**
   * @param row creates the element of an item
   * @param onChange called when a list has been shown, and after each successful read
   * @param onLive called with the changes of a live list, which are shown
   * @param onFail called with an error and a function that retries, or null instead of the function if the list shows a retry button
   */
  constructor({scroller, feed, above, below, row, onChange = () => {}, onLive = () => {}, onFail = () => {}}) {
    Object.assign(this, {blank: {title: 'Nothing here', text: ''}});
    this.#scroller = scroller;
    this.#feed = feed;
    this.#above = above;
    this.#below = below;
    this.#row = row;
    this.#onChange = onChange;
    this.#onLive = onLive;
    this.#onFail = onFail;
    scroller.addEventListener('scroll', () => this.#scheduleLoading(), {passive: true});
    new ResizeObserver(() => this.#scheduleLoading()).observe(scroller);
  }

  get list() {
    return this.#list;
  }

  /** Shows another list, as the user left it, or else at the mark, from whose position it starts if it has no pages yet. */
  async show(list, mark = null) {
    if (this.#list) {
      this.#marks.set(this.#list, this.markOf(this.place()));
      this.#list.cancel();
    }
    this.#list = list;
    this.#unsubscribe();
    this.#unsubscribe = list.subscribe(changes => {
      changes && this.#showLive(changes);
      list.searching && this.#renderEdges('next');
    });
    this.#failed.clear();
    if (list.pages.length > 0) {
      this.#renderAll();
      this.#restorePosition(this.#marks.get(list) ?? mark);
      this.#changed();
    } else {
      await this.start(mark?.start ?? {}, mark);
    }
  }

  /**
   * Starts the list again at a position. Returns whether that succeeded. If it failed and no page has been read, shows the
   * reason instead of the list.
   */
  async start(position = {}, mark = null) {
    const list = this.#list;
    this.#restart = () => this.start(position, mark);
    this.#failed.clear();
    this.#paused.delete(list);
    if (list.pages.length === 0) {
      this.#elements.clear();
      this.#feed.replaceChildren(...Array.from({length: 12}, () => el('div', {class: 'skeleton', 'aria-hidden': true})));
    }
    this.#renderEdges('next');
    const done = await this.#attempt('start', () => startAt(list, position), list);
    if (done) {
      this.#renderAll();
      this.#restorePosition(mark);
      this.#changed();
    }
    return done;
  }

  /**
   * Refreshes the list. The visible items stay in place, unless the view scrolls `toTop`. Returns the changes, or null if the
   * refresh failed.
   */
  async refresh({toTop = false} = {}) {
    const list = this.#list;
    let changes = null;
    const done = await this.#attempt('refresh', async () => (changes = await list.refresh()), list);
    if (!done) {
      return null;
    }
    const moved = new Set(changes.changed.map(item => item.id));
    this.#keepPosition(() => this.#showPages(), row => !moved.has(row.dataset.id));
    if (toTop) {
      this.#scroller.scrollTop = 0;
    }
    this.#changed();
    return changes;
  }

  /** Shows the changes of a live list. The visible items stay in place, and edited items glow once. */
  #showLive(changes) {
    if (Object.values(changes).some(items => items.length > 0)) {
      const moved = new Set(changes.changed.map(item => item.id));
      this.#keepPosition(() => this.#showPages(), row => !moved.has(row.dataset.id));
      moved.forEach(id => this.rowOf(id)?.classList.add('glow'));
    }
    this.#onLive(changes);
    this.#changed();
  }

  /** Whether the row of an item is above the visible part of the list. */
  isAbove(id) {
    const row = this.rowOf(id);
    return row !== null && row.getBoundingClientRect().bottom <= this.#scroller.getBoundingClientRect().top + 1;
  }

  /** Retries failed requests. */
  retry() {
    const nothingYet = this.#failed.has('start') && this.#list.pages.length === 0;
    this.#failed.clear();
    if (nothingYet) {
      this.#restart();
    } else {
      this.#keepPosition(() => this.#feed.querySelectorAll('.trouble').forEach(one => one.remove()));
      this.#renderEdges();
      this.#loadNearby();
    }
  }

  /** The scroll position: the first visible item, and its distance from the top of the scroller. */
  place() {
    const row = this.#firstVisibleRow();
    return row && {item: this.itemOf(row.dataset.id), offset: this.#topOf(row)};
  }

  /** Returns the mark with which `show` shows a list at a place. */
  markOf(place) {
    return place && {id: place.item.id, offset: place.offset};
  }

  rowOf(id) {
    return this.#feed.querySelector(`[data-id="${CSS.escape(id)}"]`);
  }

  itemOf(id) {
    return this.#list?.items.find(item => item.id === id) ?? null;
  }

  /**
   * Updates an item. The item keeps its position until the next refresh, even if the change moves it in the order or removes it
   * from the list.
   */
  update(id, changes) {
    const item = this.itemOf(id);
    const row = this.rowOf(id);
    if (!item || !row) {
      return;
    }
    Object.assign(item, changes);
    const fresh = this.#row(item);
    this.#shown.set(fresh, item);
    for (const name of ['aria-posinset', 'aria-setsize', 'aria-current', 'tabindex']) {
      row.hasAttribute(name) && fresh.setAttribute(name, row.getAttribute(name));
    }
    const hadFocus = row.contains(document.activeElement);
    row.replaceWith(fresh);
    hadFocus && fresh.focus({preventScroll: true});
  }

  /** The row that is `step` rows after the given one, or the first visible row if the given one is not in the list. */
  neighbor(row, step) {
    const rows = [...this.#feed.querySelectorAll('[data-id]')];
    const at = rows.indexOf(row);
    return at < 0 ? this.#firstVisibleRow() : rows[Math.min(rows.length - 1, Math.max(0, at + step))];
  }

  /** Moves the focus to a row. The Tab key enters the list there next time. */
  focus(row) {
    this.#feed.querySelector('[tabindex="0"]')?.setAttribute('tabindex', '-1');
    row.setAttribute('tabindex', '0');
    row.focus({preventScroll: true});
    row.scrollIntoView({block: 'nearest'});
  }

  // Loading

  #scheduleLoading() {
    if (!this.#isScheduled) {
      this.#isScheduled = true;
      requestAnimationFrame(() => {
        this.#isScheduled = false;
        this.#loadNearby();
      });
    }
  }

  #loadNearby() {
    const list = this.#list;
    if (!list || list.pages.length === 0) {
      return;
    }
    const {scrollTop, clientHeight, scrollHeight} = this.#scroller;
    if (!list.atEnd && !this.#paused.has(list) && scrollHeight - scrollTop - clientHeight < 2 * clientHeight) {
      this.#load('next', async () => {
        const page = await list.next();
        page === null && !list.atEnd && this.#paused.add(list);
      });
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
    this.#renderEdges(what);
    if (await this.#attempt(what, read, list)) {
      this.#keepPosition(() => this.#showPages());
      this.#changed();
    }
  }

  /** Returns whether the read succeeded and the list is still displayed. */
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
      // The list still shows the pages that were read, so onFail reports the error. Otherwise, the list itself shows the error.
      this.#renderEdges();
      const list = this.#list;
      const again = what === 'start' ? this.#restart : () => this.refresh();
      this.#onFail(error, () => list === this.#list && again());
      return;
    }
    this.#failed.add(what);
    this.#feed.querySelectorAll('.skeleton').forEach(one => one.remove());
    const trouble = el('div', {class: 'trouble', role: 'alert'},
        el('p', {}, what === 'start' ? 'The list could not be loaded.' : 'More items could not be loaded.'),
        el('p', {class: 'reason'}, navigator.onLine ? error.message : 'You are offline.'),
        el('button', {type: 'button', onclick: () => this.retry()}, 'Try again'));
    if (what === 'previous') {
      this.#above.replaceChildren(trouble);
    } else if (what === 'next' || !isRead) {
      this.#below.replaceChildren(trouble);
    } else {
      this.#keepPosition(() => this.#elements.get(what).append(trouble));
    }
    this.#onFail(error, null);
  }

  // Rendering

  #renderAll() {
    this.#elements.clear();
    this.#feed.replaceChildren();
    this.#showPages();
    this.#scroller.scrollTop = 0;
  }

  /** Shows the current pages. Keeps the elements of rows that have not changed. */
  #showPages() {
    const focused = document.activeElement?.closest('[data-id]')?.dataset.id;
    const rows = new Map([...this.#feed.querySelectorAll('[data-id]')].map(row => [row.dataset.id, row]));
    for (const [page, element] of this.#elements) {
      if (!this.#list.pages.includes(page)) {
        element.remove();
        this.#elements.delete(page);
      }
    }
    let after = null;
    for (const page of this.#list.pages) {
      if (!this.#elements.has(page)) {
        const element = el('div', {class: 'page', role: 'presentation'});
        this.#elements.set(page, element);
        after ? after.after(element) : this.#feed.prepend(element);
      }
      after = this.#elements.get(page);
      after.classList.toggle('holed', page.hole !== null);
      this.#showRows(after, page.items.map(item => this.#rowFor(item, rows.get(item.id))));
    }
    this.#numberRows();
    this.#renderEdges();
    if (focused && document.activeElement === document.body) {
      this.rowOf(focused)?.focus({preventScroll: true});
    }
  }

  #showRows(element, rows) {
    const wanted = new Set(rows);
    [...element.querySelectorAll('[data-id]')].forEach(row => wanted.has(row) || row.remove());
    let next = element.firstElementChild;
    for (const row of rows) {
      if (row === next) {
        next = next.nextElementSibling;
      } else {
        element.insertBefore(row, next);
      }
    }
  }

  /** Returns the given row if it shows this version of the item, and a new row otherwise. */
  #rowFor(item, row) {
    if (row && this.#shown.get(row) === item) {
      return row;
    }
    const fresh = this.#row(item);
    this.#shown.set(fresh, item);
    for (const name of row ? ['aria-current', 'tabindex'] : []) {
      row.hasAttribute(name) && fresh.setAttribute(name, row.getAttribute(name));
    }
    return fresh;
  }

  #numberRows() {
    const rows = this.#feed.querySelectorAll('[data-id]');
    rows.forEach((row, at) => {
      row.setAttribute('aria-posinset', at + 1);
      row.setAttribute('aria-setsize', '-1');
      row.hasAttribute('tabindex') || row.setAttribute('tabindex', '-1');
    });
    this.#feed.querySelector('[tabindex="0"]') || rows[0]?.setAttribute('tabindex', '0');
  }

  #renderEdges(loading = null) {
    const list = this.#list;
    const isRead = list.pages.length > 0;
    this.#above.classList.toggle('closed', !isRead || list.atStart);
    this.#failed.has('previous') || this.#above.replaceChildren(...(loading === 'previous' ? [spinner()] : []));
    if (isRead && this.#paused.has(list)) {
      this.#below.replaceChildren(el('div', {class: 'blank'},
          el('p', {}, list.isEmpty ? 'Nothing found so far, but not all messages have been searched.' : 'Nothing more found so far.'),
          el('button', {type: 'button', onclick: () => this.#searchFurther(list)}, 'Search further')));
    } else if (isRead && !list.atEnd && list.searching) {
      this.#below.replaceChildren(spinner('Searching'), el('p', {class: 'end'}, 'Searching …'));
    } else if (isRead && list.isEmpty && list.atEnd) {
      const {title, text} = this.blank;
      this.#below.replaceChildren(el('div', {class: 'blank'}, el('p', {class: 'blank-title'}, title), el('p', {}, text),
          el('button', {type: 'button', onclick: () => this.start()}, 'Look again')));
    } else if (isRead && list.atEnd) {
      this.#below.replaceChildren(el('p', {class: 'end'}, 'This is the end of the list'));
    } else if (!this.#failed.has('next')) {
      this.#below.replaceChildren(...(loading === 'next' && isRead ? [spinner()] : []));
    }
  }

  #searchFurther(list) {
    this.#paused.delete(list);
    this.#renderEdges('next');
    this.#scheduleLoading();
  }

  #changed() {
    this.#onChange(this.#list);
    this.#scheduleLoading();
  }

  // Scroll position

  /**
   * Changes the list, but keeps the position of a row: the first visible one that `isFixed` accepts and that stays in the list.
   */
  #keepPosition(change, isFixed = () => true) {
    const first = this.#firstVisibleRow();
    const rows = [...this.#feed.querySelectorAll('[data-id]')];
    const nearby = rows.slice(rows.indexOf(first)).filter(isFixed).slice(0, 50);
    const places = nearby.map(row => ({id: row.dataset.id, top: this.#topOf(row)}));
    change();
    const place = first && places.find(({id}) => this.rowOf(id));
    if (place) {
      this.#scroller.scrollTop += this.#topOf(this.rowOf(place.id)) - place.top;
    }
  }

  /** Scrolls to the mark, or to the first item if there is no mark or the list does not show its item. */
  #restorePosition(mark) {
    const marked = mark?.id && this.rowOf(mark.id);
    const row = marked || this.#feed.querySelector('[data-id]');
    if (row) {
      this.#scroller.scrollTop += this.#topOf(row) - (marked ? mark.offset : 0);
    }
  }

  #topOf(row) {
    return row.getBoundingClientRect().top - this.#scroller.getBoundingClientRect().top;
  }

  #firstVisibleRow() {
    const top = this.#scroller.getBoundingClientRect().top;
    const isBelow = element => element.getBoundingClientRect().bottom > top + 1;
    const page = [...this.#feed.querySelectorAll('.page')].find(isBelow);
    return page ? [...page.querySelectorAll('[data-id]')].find(isBelow) ?? null : null;
  }
}

/**
 * Starts a list at a position, or at the first page if the position is no longer valid, for example because its message was
 * deleted.
 */
async function startAt(list, position) {
  try {
    return await list.start(position);
  } catch (error) {
    if (Object.keys(position).length > 0 && (error.mustStartAgain || error.code === 'anchor_not_found')) {
      return list.start();
    }
    throw error;
  }
}

function spinner(text = 'Loading') {
  return el('div', {class: 'spinner'}, el('span', {class: 'unseen'}, text));
}

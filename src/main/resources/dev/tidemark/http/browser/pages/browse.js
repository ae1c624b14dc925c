import {Feed} from './client/index.js';
import {controls, el, valueText} from './controls.js';
import {RequestLog} from './request-log.js';

const byId = id => document.getElementById(id);
const scroller = byId('scroller');
const log = new RequestLog(byId('log'), byId('request'), headers);

let feeds = [];
let shown = null;
let list = null;
let watching = new AbortController();
let counting = new AbortController();
let filters = controls(null);

function headers() {
  const token = byId('token').value.trim();
  return token ? {Authorization: `Bearer ${token}`} : {};
}

// Feeds, orders and filters

async function loadFeeds() {
  clear();
  try {
    const response = await fetch('/api', {headers: headers()});
    const body = await response.json();
    if (!response.ok) {
      throw new Error(body.detail);
    }
    feeds = body.feeds.filter(feed => !feed.universal.only);
    byId('feed').replaceChildren(...feeds.map(feed => el('option', {value: feed.name}, feed.name)));
    byId('feed').value = feeds.some(feed => feed.name === location.hash.slice(1)) ? location.hash.slice(1) : feeds[0]?.name ?? '';
    feeds.length > 0 ? showFeed() : showStatus('There is no feed that you may read. Feeds with roles or a scope need a token.');
  } catch (error) {
    showStatus(error.message, true);
  }
}

function showFeed() {
  shown = feeds.find(feed => feed.name === byId('feed').value);
  history.replaceState(null, '', `${location.search}#${shown.name}`);
  const standard = shown.orders.find(order => order.default);
  byId('order').replaceChildren(...shown.orders.map(order =>
      el('option', {value: order.name}, `${order.name}: ${order.by}${order.live ? ' (live)' : ''}`)));
  byId('order').value = standard.name;
  byId('count').hidden = !shown.counts;
  byId('by').replaceChildren(el('option', {value: ''}, 'nothing'), ...(shown.counts ?? []).map(column => el('option', {}, column)));
  filters = controls(shown, () => {
    showFiltered();
    showList();
  });
  byId('fields').replaceChildren(...filters.elements);
  byId('open-filters').hidden = filters.elements.length === 0;
  showFiltered();
  byId('place').value = '';
  byId('columns').replaceChildren(el('tr', {}, ...members().map(column => el('th', {scope: 'col'}, column.name, el('span', {}, column.type)))));
  return showList();
}

/** The members of an item: those of columns, with their types, and those of embeds. */
function members() {
  return [...shown.columns, ...(shown.embeds ?? []).map(({name}) => ({name, type: 'embed'}))];
}

/** Says which filters are set, because the panel with the fields covers the list while it is open. */
function showFiltered() {
  byId('filtered').textContent = byId('filtered').title = filters.description();
}

/** Places the panel of the filters below its button. */
function placeFilters() {
  const {bottom, left} = byId('open-filters').getBoundingClientRect();
  byId('filters').style.setProperty('--top', `${bottom + 6}px`);
  byId('filters').style.setProperty('--left', `${left}px`);
}

// The list

function clear() {
  watching.abort();
  counting.abort();
  list?.cancel();
  showNew(null);
  byId('rows').replaceChildren();
  byId('above').textContent = '';
  showStatus('');
}

/** Shows the list that is selected, from its start or from a position such as `{around: '2026-01-01'}`. */
async function showList(position = {}) {
  clear();
  const feed = new Feed(`/api/${encodeURIComponent(shown.name)}`, {headers, fetch: log.fetch, retry: {attempts: 2}});
  const mine = list = feed.list({order: byId('order').value, ...filters.parameters()});
  showStatus('Loading');
  showCounts(feed);
  await attempt(async () => {
    await mine.start(position);
    render();
    scroller.scrollTop = 0;
    watch(feed);
  });
}

async function attempt(read) {
  const mine = list;
  try {
    await read();
  } catch (error) {
    mine === list && error.name !== 'AbortError' && showStatus(error.message, true);
    return;
  }
  mine === list && loadNearby();
}

/** Shows the rows of all pages. The visible rows stay in place. */
function render(isNew = false) {
  const rows = byId('rows');
  const known = new Map([...rows.children].map(row => [row.item, row]));
  const before = [...known.values()].find(row => row.getBoundingClientRect().bottom > scroller.getBoundingClientRect().top + 60);
  const top = before?.getBoundingClientRect().top;
  rows.replaceChildren(...list.items.map(item => known.get(item) ?? rowOf(item, isNew)));
  if (before?.isConnected) {
    scroller.scrollTop += before.getBoundingClientRect().top - top;
  }
  byId('above').textContent = list.atStart ? '' : 'More items are above.';
  showStatus(list.isEmpty ? 'The list is empty.' : list.atEnd ? `The end of the list. ${list.items.length} items are shown.` : 'Scroll for more.');
}

function rowOf(item, isNew) {
  const row = el('tr', {class: isNew ? 'new' : null}, ...members().map(({name}) => {
    const text = valueText(item[name]);
    return text === null ? el('td', {class: 'null'}, 'null') : el('td', {title: text}, text);
  }));
  row.item = item;
  return row;
}

function showStatus(text, isError = false) {
  byId('below').textContent = text;
  byId('below').classList.toggle('bad', isError);
}

let isLoading = false;

async function loadNearby() {
  if (isLoading || !list || list.pages.length === 0) {
    return;
  }
  const {scrollTop, clientHeight, scrollHeight} = scroller;
  const read = !list.atEnd && scrollHeight - scrollTop - clientHeight < clientHeight ? () => list.next()
    : !list.atStart && scrollTop < clientHeight / 2 ? () => list.previous() : null;
  if (read) {
    isLoading = true;
    const mine = list;
    let failed = null;
    try {
      await read();
    } catch (error) {
      failed = error;
    }
    isLoading = false;
    if (mine !== list) {
      loadNearby();
    } else if (failed) {
      failed.name !== 'AbortError' && showStatus(failed.message, true);
    } else {
      render();
      loadNearby();
    }
  }
}

/** Shows a button with the number of new items, or that there are none, or null, if that is not known. */
function showNew(count, capped = false) {
  byId('pill').hidden = !count;
  byId('pill').textContent = `↑ ${count}${capped ? '+' : ''} new`;
  byId('current').hidden = count !== 0;
}

/** Shows a button with the number of new items, and updates the number when items arrive. */
async function watch(feed) {
  watching.abort();
  watching = new AbortController();
  const {signal} = watching;
  showNew(null);
  const mine = list;
  if (!mine.atStart || !mine.top) {
    return;
  }
  byId('pill').onclick = () => attempt(async () => {
    const known = new Set(mine.items.map(item => JSON.stringify(item)));
    await mine.start();
    render();
    [...byId('rows').children].forEach(row => row.classList.toggle('new', !known.has(JSON.stringify(row.item))));
    scroller.scrollTop = 0;
    watch(feed);
  });
  try {
    for await (const {count, capped} of feed.fresh(mine.top, mine.parameters, {signal})) {
      showNew(count, capped);
    }
  } catch (error) {
    if (!signal.aborted) {
      showNew(null);
      showStatus(error.message, true);
    }
  }
}

/** Shows the numbers of items by the values of the selected column, and updates them. */
async function showCounts(feed) {
  counting.abort();
  counting = new AbortController();
  const {signal} = counting;
  const by = byId('by').value;
  const show = text => signal.aborted || (byId('counts').textContent = text);
  byId('counts').hidden = !by;
  show('');
  try {
    for await (const {counts, complete} of by ? feed.countsStream(by, list.parameters, {signal}) : []) {
      const texts = counts.map(({value, count, capped}) => `${valueText(value) ?? 'null'}: ${count}${capped ? '+' : ''}`);
      show(texts.join(' · ') + (complete ? '' : ' · and more values'));
    }
  } catch (error) {
    show(error.message);
  }
}

// Events

byId('by').addEventListener('change', () => showList());
byId('feed').addEventListener('change', showFeed);
byId('order').addEventListener('change', () => showList());
byId('token').addEventListener('change', loadFeeds);
byId('query').addEventListener('submit', event => {
  event.preventDefault();
  const place = byId('place').value.trim();
  shown && showList(place ? {[byId('jump').value]: byId('jump').value.endsWith('_id') ? place.split(',') : place} : {});
});
byId('filters').addEventListener('beforetoggle', placeFilters);
addEventListener('resize', placeFilters);
byId('reset').addEventListener('click', () => shown && showFeed());
scroller.addEventListener('scroll', loadNearby, {passive: true});
document.querySelectorAll('[data-view]').forEach(tab => tab.addEventListener('click', () => {
  document.body.classList.toggle('shows-requests', tab.dataset.view === 'requests');
  document.querySelectorAll('[data-view]').forEach(one => one.setAttribute('aria-pressed', one === tab));
}));

loadFeeds();

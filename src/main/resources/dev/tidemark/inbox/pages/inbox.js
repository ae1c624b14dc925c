import {Feed, listKey} from './client/index.js';
import {persist} from './client/persist.js';
import {prepareComposeDialog} from './compose.js';
import {el, announce, toast} from './dom.js';
import {ListView} from './list-view.js';
import {MessagePane, messageRow} from './message.js';
import {Pill} from './pill.js';
import {TabNumbers} from './tab-numbers.js';
import {attendTraffic, connectTrafficSwitch} from './traffic.js';
import {writes} from './writes.js';

const isPhone = location.pathname === '/phone';
const storageKey = `tidemark.inbox.${isPhone ? 'phone' : 'web'}`;
const byId = id => document.getElementById(id);

// The selected list, and each list with its scroll position, are kept when this browser tab is reloaded.

const state = {q: '', status: '', assignee: '', order: 'newest', ...JSON.parse(sessionStorage.getItem(storageKey) ?? '{}')};

function parameters() {
  return {q: state.q || null, order: state.order, status: state.status || null, ...assigneeFilter()};
}

const assigneeFilter = () => state.assignee === '-' ? {'assignee.is': 'null'} : {assignee: state.assignee || null};

let persisted = {stop: () => {}};

/** Shows the selected list as the user left it, also before a reload. A list that has not been read yet starts at the mark. */
async function showList(mark = null) {
  persisted.stop();
  sessionStorage.setItem(storageKey, JSON.stringify(state));
  const list = feed.list(parameters());
  const current = persist(list, sessionStorage, {
    name: `${storageKey}.${listKey(list.parameters)}`,
    place: () => view.list === list ? view.place() : null,
    onError: error => console.info(`The list could not be saved: ${error.message}`),
  });
  persisted = current;
  const restored = await current.restored;
  if (persisted === current) {
    await view.show(list, mark ?? view.markOf(restored?.place));
  }
}

// The list

const feed = new Feed('/api/messages', {onRetry: ({delay}) => showTrouble(`Tidemark does not respond. Retrying in ${Math.ceil(delay / 1000)} s.`)});
const tabNumbers = new TabNumbers(feed, document.querySelectorAll('[data-status]:not([data-status=""])'));
const unread = new Set();
const pill = new Pill(byId('pill'), byId('current'));
const view = new ListView({
  scroller: byId('scroller'),
  feed: byId('feed'),
  above: byId('above'),
  below: byId('below'),
  row: item => {
    const gone = view.list.isDeleted(item);
    const row = messageRow({...item, gone, deleted: item.deleted ?? (gone && !isFiltered())});
    item.id === pane.id && row.setAttribute('aria-current', 'true');
    row.classList.toggle('unread', unread.has(item.id));
    return row;
  },
  onChange: () => {
    showTrouble(null);
    watch();
  },
  onLive: changes => {
    changes.added.forEach(item => markUnread(item.id));
    showNames(changes.changed);
    showInPane(changes);
    // A message that is gone from a filtered list may have another status or assignee now.
    isFiltered() && changes.deleted.forEach(item => item.id === openedId() || reread(item.id));
  },
  onFail: (error, again) => {
    showTrouble(null);
    again && toast(`The list could not be loaded: ${error.message}`, el('button', {type: 'button', onclick: again}, 'Try again'));
  },
});

let live = {list: null, stop: () => {}};

/** Keeps the list live. */
function watch() {
  const {list} = view;
  if (list !== live.list || list?.liveError) {
    live.stop();
    // What a search has not found yet would have to be read for its window.
    const isLive = list && !list.parameters.q;
    const stops = isLive ? [list.subscribe(showWhetherCurrent), list.live({deleted: 'mark'})] : [];
    live = {list, stop: () => stops.forEach(stop => stop())};
    showWhetherCurrent();
  }
  pill.show(view.list);
}

function showWhetherCurrent() {
  pill.setCurrent(live.list === view.list && ['streaming', 'polling'].includes(live.list?.liveState) && byId('offline').hidden);
}

const isFiltered = () => Boolean(state.q || state.status || state.assignee);

function showTrouble(text) {
  const lost = navigator.onLine ? text : 'You are offline. Loaded messages stay available.';
  byId('offline').hidden = lost === null;
  byId('offline').textContent = lost ?? '';
  showWhetherCurrent();
}

async function showSelectedList() {
  showFilters();
  pill.show(null);
  await showList();
}

async function goToNewest() {
  const done = view.list.atStart ? await refresh({toTop: true}) : await view.start();
  done && announce('The list is up to date');
}

/** Refreshes the list, and shows the changes that others have made. New messages have a dot until they are opened. */
async function refresh(options) {
  const changes = await view.refresh(options);
  changes?.added.forEach(item => markUnread(item.id));
  changes && showInPane({deleted: [], ...changes});
  return changes;
}

function markUnread(id) {
  unread.add(id);
  view.rowOf(id)?.classList.add('unread');
}

/** Shows the changes of the open message, unless its form is open. */
function showInPane({changed, removed, deleted}) {
  const open = openedId();
  const gone = [...removed, ...deleted].find(item => item.id === open);
  if (!open || pane.isFormOpen) {
    return;
  }
  if (gone && isFiltered()) {
    reread(open);
  } else if (gone) {
    pane.show({...gone, deleted: true});
  } else if (changed.some(item => item.id === open)) {
    pane.show(view.itemOf(open));
  }
}

/** Refreshes the list after an absence. The visible items stay in place, and the button shows the number of new items above. */
async function catchUp() {
  if (view.list?.hasMoments) {
    const changes = await refresh();
    if (view.list.atStart && state.order !== 'oldest') {
      pill.addAbove(changes?.added.filter(item => view.isAbove(item.id)).length ?? 0);
    }
  }
}

function showFilters() {
  for (const tab of document.querySelectorAll('[data-status]')) {
    tab.setAttribute('aria-pressed', tab.dataset.status === state.status);
  }
  byId('order').value = state.order;
  byId('assignee').value = state.assignee;
  tabNumbers.show({q: state.q || null, ...assigneeFilter()});
  document.activeElement === byId('search') || (byId('search').value = state.q);
  const reason = state.q ? 'No message has all of these words.' : 'No message has this status and assignee.';
  view.blank = {title: 'No messages here', text: isFiltered() ? reason : 'The inbox is empty.'};
}

/** The options of the filter that name an agent. */
const agentOptions = () => [...byId('assignee').options].slice(2);

/** Shows the names of agents who have been renamed. */
function showNames(items) {
  for (const {assignee, agent} of items.filter(item => item.agent)) {
    const option = agentOptions().find(one => one.value === assignee);
    if (option && option.text !== agent.name) {
      option.text = agent.name;
    }
  }
}

function select(changes) {
  Object.assign(state, changes);
  return showSelectedList();
}

async function goToDate(value) {
  const [year, month, day] = value.split('-').map(Number);
  // In descending order, the list starts at the end of the day.
  const from = new Date(year, month - 1, day + (state.order === 'oldest' ? 0 : 1));
  await view.start({from: from.toISOString()});
}

// One message

const pane = new MessagePane(byId('message'), {
  assignees: () => agentOptions().map(option => [option.value, option.text]),
  onClose: () => leaveMessage(),
  onChange: async (id, facts) => {
    const item = facts.deleted ? {} : await readOne(id);
    view.update(id, {...item, ...facts});
    view.rowOf(id) || (await refresh());
    if (pane.id === id) {
      pane.show({...view.itemOf(id), ...item, ...facts, id});
    }
  },
});

/** Reads one message: a page of one item that starts at this message. */
async function readOne(id) {
  const {items} = await feed.page({from_id: id, limit: 1});
  return items[0] ?? null;
}

function openedId() {
  return /^#message-(\d+)$/.exec(location.hash)?.[1] ?? null;
}

/** Shows the message that the URL identifies. If the list does not show it, removes the filters and jumps to its position. */
async function route() {
  const id = openedId();
  document.body.classList.toggle('reading', id !== null);
  byId('detail').querySelector('.guide').hidden = id !== null;
  view.rowOf(pane.id ?? '')?.removeAttribute('aria-current');
  if (id === null) {
    pane.close();
    return;
  }
  if (!view.rowOf(id)) {
    try {
      await jumpTo(id);
    } catch (error) {
      view.list || (await showSelectedList());
      openedId() === id && pane.showError(id, error, route);
      return;
    }
    if (openedId() !== id) {
      return;
    }
  }
  const known = view.itemOf(id);
  known ? pane.show(known) : pane.showMissing(id);
  view.rowOf(id)?.setAttribute('aria-current', 'true');
  markRead(id);
  if (known && !known.deleted) {
    await reread(id);
  }
}

/** Reads the message again, because it might have changed after the list was read. */
async function reread(id) {
  try {
    const item = await readOne(id);
    const known = view.itemOf(id);
    if (!known || ['edited_at', 'agent', 'customer'].some(name => JSON.stringify(item[name]) !== JSON.stringify(known[name]))) {
      view.update(id, item);
      openedId() === id && !pane.isFormOpen && pane.show(item);
    }
  } catch (error) {
    if (error.code === 'anchor_not_found') {
      view.update(id, {deleted: true});
      openedId() === id && pane.show({...view.itemOf(id)});
    }
  }
}

async function jumpTo(id) {
  if (!(await messageExists(id))) {
    view.list || (await showSelectedList());
    return;
  }
  if (openedId() !== id) {
    return;
  }
  state.q = '';
  state.status = '';
  state.assignee = '';
  showFilters();
  await showList({start: {around_id: id}});
  if (!view.rowOf(id)) {
    await view.start({around_id: id});
  }
  const row = view.rowOf(id);
  row?.scrollIntoView({block: 'center'});
  row?.classList.add('landed');
}

function markRead(id) {
  unread.delete(id);
  view.rowOf(id)?.classList.remove('unread');
}

async function messageExists(id) {
  try {
    return (await readOne(id)) !== null;
  } catch (error) {
    if (error.code === 'anchor_not_found' || error.code === 'invalid_anchor') {
      return false;
    }
    throw error;
  }
}

function openMessage(id) {
  if (openedId() === id) {
    return;
  }
  // On a phone or in a narrow window, the message covers the list, and the back button returns to the list.
  if (isPhone || innerWidth < 900) {
    location.hash = `message-${id}`;
  } else {
    history.replaceState(null, '', `#message-${id}`);
    route();
  }
}

function leaveMessage() {
  const id = openedId();
  history.replaceState(null, '', location.pathname);
  route();
  const row = id && view.rowOf(id);
  row && view.focus(row);
}

// User input

byId('feed').addEventListener('click', event => {
  const row = event.target.closest('[data-id]');
  if (row && !event.metaKey && !event.ctrlKey) {
    event.preventDefault();
    view.focus(row);
    openMessage(row.dataset.id);
  }
});

const STEPS = {j: 1, ArrowDown: 1, k: -1, ArrowUp: -1};

document.addEventListener('keydown', event => {
  const isTyping = event.target.closest('input, textarea, select, dialog');
  if (isTyping || event.metaKey || event.ctrlKey || event.altKey) {
    return;
  }
  const row = event.target.closest('[data-id]');
  const isLetter = event.key.length === 1;
  if (event.key in STEPS && (row || isLetter)) {
    event.preventDefault();
    const next = view.neighbor(row ?? view.rowOf(openedId() ?? ''), STEPS[event.key]);
    next && view.focus(next);
  } else if (event.key === 'Enter' && row) {
    event.preventDefault();
    openMessage(row.dataset.id);
    byId('message').querySelector('h2')?.focus({preventScroll: true});
  } else if (event.key === 'Escape' && openedId()) {
    leaveMessage();
  }
});

for (const tab of document.querySelectorAll('[data-status]')) {
  tab.addEventListener('click', () => select({status: tab.dataset.status}));
}
/** The words that the server takes: up to eight, of at least two characters. */
const wordsOf = text => text.trim().split(/\s+/).filter(word => [...word].length > 1).slice(0, 8).join(' ');

let typing = null;
byId('search').addEventListener('input', event => {
  clearTimeout(typing);
  typing = setTimeout(() => wordsOf(event.target.value) === state.q || select({q: wordsOf(event.target.value)}), 300);
});
byId('order').addEventListener('change', event => select({order: event.target.value}));
byId('assignee').addEventListener('change', event => select({assignee: event.target.value}));
byId('date').addEventListener('change', event => event.target.value && goToDate(event.target.value));
byId('pill').addEventListener('click', goToNewest);
byId('scroller').addEventListener('scroll', () => byId('scroller').scrollTop === 0 && pill.clear(), {passive: true});
byId('write').addEventListener('click', prepareComposeDialog(byId('compose'), async id => {
  toast('Message sent');
  state.order === 'oldest' || (await goToNewest());
  markRead(id);
}));
document.querySelector('[data-guide="traffic"]').addEventListener('click', () => byId('traffic').click());

addEventListener('hashchange', route);
addEventListener('offline', () => showTrouble(null));
addEventListener('online', () => {
  showTrouble(null);
  feed.retryNow();
  view.retry();
  watch();
  catchUp();
});
document.addEventListener('visibilitychange', () => document.hidden || catchUp());

// Timers do not run while the computer sleeps. A long time between two calls shows that it has slept.
let lastTick = Date.now();
setInterval(() => {
  const slept = Date.now() - lastTick > 60_000;
  lastTick = Date.now();
  slept && catchUp();
}, 5_000);

// Start

document.body.classList.toggle('phone-page', isPhone);
if (isPhone) {
  document.title = 'Support inbox on the phone · Tidemark';
  // In a frame, the page around it asks for the traffic.
  window === top && attendTraffic();
} else {
  connectTrafficSwitch(byId('traffic'));
  const wide = matchMedia('(min-width: 1180px)');
  const frame = () => {
    byId('phone').hidden = !wide.matches;
    if (wide.matches && !byId('phone').firstChild) {
      byId('phone').append(el('div', {class: 'bezel'}, el('iframe', {src: '/phone', title: 'The same inbox on a phone'})));
    }
  };
  wide.addEventListener('change', frame);
  frame();
}

const {agents} = await writes.people().catch(() => ({agents: []}));
byId('assignee').append(...[['', 'Anyone'], ['-', 'Nobody'], ...agents.map(agent => [agent.id, agent.name])]
    .map(([value, text]) => el('option', {value}, text)));
if (openedId() === null) {
  await showSelectedList();
} else {
  await route();
}

import {Feed, FeedList} from './client/index.js';
import {delayChart, depthChart} from './chart.js';
import {el} from './dom.js';
import {measureDepths} from './depths.js';
import {LabList} from './lab-list.js';
import {LiveWindow} from './live-window.js';
import {writeLate} from './stored.js';
import {attendTraffic, traffic} from './traffic.js';

const PAGE_SIZE = 30;
const KEYS = {newest: 'created_at', edited: 'edited_at'};
const byId = id => document.getElementById(id);
const dial = byId('dial').elements;
const whole = new Intl.NumberFormat();

async function json(path, parameters = {}) {
  const response = await fetch(`${path}?${new URLSearchParams(parameters)}`, {signal: AbortSignal.timeout(30_000)});
  if (!response.ok) {
    throw new Error(`the server responded with status ${response.status}`);
  }
  return response.json();
}

// Paging by cursor and by offset

function byCursor(order) {
  const list = new FeedList(new Feed('/api/messages', {limit: PAGE_SIZE, fields: ['id', 'subject', KEYS[order]]}), {order});
  return async () => {
    const page = list.atEnd ? null : await list.next();
    return page ? page.items.map(item => ({...item, value: item[KEYS[order]]})) : [];
  };
}

function byOffset(order) {
  let offset = 0;
  return async () => {
    const {items} = await json('/inbox/lab/offset', {order, offset, limit: PAGE_SIZE});
    offset += items.length;
    return items;
  };
}

// A run

class Run {
  #order = dial.order.value;
  #since = null;
  #lists = {};
  #lost = {cursor: 0, offset: 0};
  #stopped = false;
  #doneBefore = 0;
  #before;

  async start() {
    const [horizon, before] = await Promise.all([json('/inbox/lab/horizon'), traffic.get()]);
    this.#since = horizon.at;
    this.#before = before;
    this.#doneBefore = before.done;
    this.#lists = {
      cursor: new LabList(byId('cursor').querySelector('.scroller'), byCursor(this.#order)),
      offset: new LabList(byId('offset').querySelector('.scroller'), byOffset(this.#order)),
    };
    await Promise.all(Object.values(this.#lists).map(list => list.loadFirstPage()));
    await traffic.set(rates());
    try {
      await this.#scroll(Number(dial.seconds.value) * 1000);
    } finally {
      await traffic.set(before);
    }
    await this.#check();
    return this.#summary((await traffic.get()).done);
  }

  stop() {
    this.#stopped = true;
  }

  /** Restores the previous traffic when the user leaves the page. */
  restoreTraffic() {
    this.#before && traffic.set(this.#before, {keepalive: true});
  }

  async #scroll(duration) {
    const begun = performance.now();
    let last = begun;
    let checked = begun;
    let checking = null;
    for (let now = begun; now - begun < duration && !this.#stopped; now = await frame()) {
      for (const list of Object.values(this.#lists)) {
        list.scroll(Number(dial.speed.value) * (now - last) / 1000);
      }
      last = now;
      if (now - checked > 1500 && !checking) {
        checked = now;
        checking = this.#check().catch(() => {}).finally(() => (checking = null));
      }
      this.#show();
      const left = Math.ceil((duration - (now - begun)) / 1000);
      showState(this.#trouble() ?? `Scrolling, ${left} s left.`);
    }
    await checking;
  }

  /** Counts the lost items: according to the database, they have stayed in place since the run began, but were never visible. */
  async #check() {
    const lost = await Promise.all(Object.values(this.#lists).map(async list => {
      const {deepest} = list;
      if (!deepest) {
        return 0;
      }
      const parameters = {order: this.#order, since: this.#since, id: deepest.id, ...(deepest.value ? {value: deepest.value} : {})};
      return list.lostOf((await json('/inbox/lab/standing', parameters)).ids).length;
    }));
    this.#lost = {cursor: lost[0], offset: lost[1]};
    this.#show();
  }

  #trouble() {
    const error = this.#lists.cursor.error ?? this.#lists.offset.error;
    return error && `A list could not be loaded: ${error.message}`;
  }

  #show() {
    for (const [name, list] of Object.entries(this.#lists)) {
      score(name, list.shown, list.twice, this.#lost[name]);
    }
  }

  #summary(done) {
    const {cursor, offset} = this.#lists;
    return `${whole.format(done - this.#doneBefore)} changes in ${dial.seconds.value} s. By cursor: ${cursor.twice} shown twice, `
        + `${this.#lost.cursor} lost. By offset: ${offset.twice} shown twice, ${this.#lost.offset} lost.`;
  }
}

const frame = () => new Promise(requestAnimationFrame);

function rates() {
  return Object.fromEntries(['inserts', 'edits', 'deletes'].map(kind => [kind, Number(dial[kind].value)]));
}

function showState(text) {
  byId('state').textContent = text;
}

const count = (label, number, kind) => el('div', {class: `count ${number > 0 ? kind : 'good'}`},
    el('dt', {}, label), el('dd', {}, whole.format(number)));

const unknown = label => el('div', {class: 'count'}, el('dt', {}, label), el('dd', {}, '–'));

function score(name, shown, twice, lost) {
  byId(name).querySelector('.score').replaceChildren(
      count('rows shown', shown, 'plain'), count('shown twice', twice, 'bad'), count('lost', lost, 'bad'));
}

// User input

let run = null;

/** Scrolls to the element with which a result begins, if the screen is too narrow to show it beside the form. */
function scrollToResult(element) {
  matchMedia('(max-width: 640px)').matches && element.scrollIntoView({block: 'start'});
}

async function start() {
  run = new Run();
  byId('run').textContent = 'Stop';
  byId('hold').disabled = true;
  document.body.classList.add('running');
  scrollToResult(byId('run'));
  try {
    const summary = await run.start();
    showState(summary);
    await measure();
  } catch (error) {
    showState(`The run ended: ${error.message}`);
  } finally {
    run = null;
    byId('run').textContent = 'Run';
    byId('hold').disabled = false;
    document.body.classList.remove('running');
    byId('run').disabled = false;
  }
}

async function measure() {
  byId('measure').disabled = true;
  try {
    byId('chart').replaceChildren(depthChart(await measureDepths(dial.order.value, PAGE_SIZE)));
  } catch (error) {
    byId('chart').replaceChildren(el('p', {class: 'reason'}, `The measurement failed: ${error.message}`));
  } finally {
    byId('measure').disabled = false;
  }
}

byId('dial').addEventListener('submit', event => {
  event.preventDefault();
  if (run) {
    byId('run').disabled = true;
    run.stop();
  } else {
    start();
  }
});

async function holdLive() {
  const section = byId('live');
  const held = new LiveWindow(section.querySelector('.scroller'));
  const before = await traffic.get();
  let late = null;
  setBusy(true);
  try {
    await held.start();
    scrollToResult(section);
    await traffic.set(rates());
    for (const end = performance.now() + Number(dial.seconds.value) * 1000; performance.now() < end; ) {
      late = writeLate();
      late.catch(() => {});
      await held.check();
      showHeld(held);
      held.points.length > 0 && section.querySelector('.chart').replaceChildren(delayChart(held.points));
    }
    // A message that is committed late during a run would count as lost.
    await late;
    section.querySelector('[role=status]').textContent = held.summary;
  } catch (error) {
    section.querySelector('[role=status]').textContent = `The run ended: ${error.message}`;
  } finally {
    held.stop();
    await traffic.set(before);
    setBusy(false);
  }
}

function setBusy(isBusy) {
  ['run', 'hold'].forEach(id => (byId(id).disabled = isBusy));
}

function showHeld({points, changes, differences}) {
  const {median = 0, slowest = 0} = points.at(-1) ?? {};
  byId('live').querySelector('.score').replaceChildren(
      count('checks', points.length, 'plain'), count('changes seen', changes, 'plain'), count('differences', differences, 'bad'),
      count('ms to screen', Math.round(median), 'plain'), count('slowest', Math.round(slowest), 'plain'));
}

byId('hold').addEventListener('click', holdLive);
byId('measure').addEventListener('click', measure);
byId('dial').addEventListener('input', event => {
  showOutputs();
  run && ['inserts', 'edits', 'deletes'].includes(event.target.name) && traffic.set(rates()).catch(() => {});
});
addEventListener('pagehide', () => run?.restoreTraffic());

function showOutputs() {
  for (const output of byId('dial').querySelectorAll('output')) {
    output.value = output.parentElement.querySelector('input').value;
  }
}

showOutputs();
['cursor', 'offset'].forEach(name => byId(name).querySelector('.score').replaceChildren(...['rows shown', 'shown twice', 'lost'].map(unknown)));
byId('chart').replaceChildren(el('p', {class: 'reason'}, 'Measured after each run, from the top to the end of the list.'));
attendTraffic();

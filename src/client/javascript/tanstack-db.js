import {FeedList} from './list.js';
import {listKey} from './parameters.js';
import {lastOf, namedError, throwIfAborted} from './platform.js';
import {FeedError, isTemporary} from './requests.js';

/** The column by which queries are ordered. */
const POSITION = '$position';

/** The delay before a page is requested again after a temporary failure that has outlasted the retries of the feed. */
const DELAY = 1_000;

/** The operators that JavaScript and the feed decide equally: ranges only of numbers, because times and large numbers are text. */
const TESTS = {
  eq: (one, other) => one === other,
  in: (one, others) => others.includes(one),
  gt: (one, other) => one > other,
  gte: (one, other) => one >= other,
  lt: (one, other) => one < other,
  lte: (one, other) => one <= other,
  isNull: () => {},
};

const RANGE = /^[gl]te?$/;

const SCALARS = ['string', 'number', 'boolean'];

/**
 * Returns options for `createCollection` of TanStack DB: a collection that loads what queries ask for, in the order of the feed.
 *
 *     const messages = createCollection(tidemarkCollectionOptions({feed, order: 'newest', live: true}));
 *     useLiveQuery(q => q.from({m: messages}).where(({m}) => eq(m.status, 'open')).orderBy(({m}) => m.$position).limit(30));
 *
 * Each row has a `$position`, a number that increases along the order of the feed. JavaScript compares values otherwise than the
 * database, so a query with a limit is ordered by it. Conditions on the feed's filters become parameters of a list, and a
 * condition that the feed does not have, or that JavaScript decides otherwise, is an error.
 *
 * @param options `order` and `filters` of all queries; `live`, true or the options of `FeedList.live`; `onError(error)`, called when a
 *     list cannot be read, or is no longer live, while its rows stay; `maxItems`, the most items that a query without a limit loads; and further options
 *     of TanStack DB, such as `id`
 */
export function tidemarkCollectionOptions({feed, order, filters = {}, live = false, maxItems = 10_000, onError = console.error, ...options}) {
  const lists = new Map();
  const keyOf = item => (feed.key.length === 1 ? item[feed.key[0]] : JSON.stringify(feed.key.map(column => item[column])));

  const sync = ({begin, write, commit, markReady, markError}) => {
    const demands = new Map();
    const rows = new Map();
    let end = 0;

    /** Makes the collection equal to the items of the lists. */
    const publish = () => {
      const current = [...lists.values()].filter(one => !one.list.pages.some(page => page.hole));
      const items = current.length === 1 ? current[0].list.items : merge(current, keyOf);
      const placed = place(items, item => rows.get(keyOf(item))?.[POSITION], end);
      end = placed.end;
      const operations = [];
      const present = new Set();
      items.forEach((item, at) => {
        const key = keyOf(item);
        present.add(key);
        const old = rows.get(key);
        if (old?.item !== item || old[POSITION] !== placed.positions[at]) {
          rows.set(key, {item, [POSITION]: placed.positions[at]});
          operations.push({type: old ? 'update' : 'insert', value: {...item, [POSITION]: placed.positions[at]}});
        }
      });
      if (current.length === lists.size) {
        for (const key of rows.keys()) {
          present.has(key) || (rows.delete(key) && operations.push({type: 'delete', key}));
        }
      }
      if (operations.length > 0) {
        begin();
        operations.forEach(write);
        return commit();
      }
      return true;
    };

    const open = (name, parameters, tests) => {
      const list = new FeedList(feed, parameters);
      const one = {list, users: 0, loads: 0, applied: true, passes: item => tests.every(test => test(item))};
      const unsubscribe = list.subscribe(() => {
        if (list.liveError && list.liveError !== one.liveError) {
          // In its error state, the collection would lose its rows.
          onError((one.liveError = list.liveError));
        }
        if (!list.items.every(one.passes)) {
          one.error = notSupported('JavaScript decides a condition otherwise than the feed: put it into "filters" of the collection');
          one.loads > 0 || markError(one.error);
        } else {
          one.applied = publish();
          // A list that was started again has only its first page, and one with too many new items must be started again.
          one.loads > 0 || one.isClosed || run(one, {limit: wanted(one)}).catch(error => error.name === 'AbortError' || onError(error));
        }
      });
      const start = () => live && list.live({...live, policy: 'all', deleted: 'remove'});
      let stop = start();
      one.refresh = async () => {
        await refresh(list);
        stop = list.liveError ? start() : stop;
      };
      one.close = () => {
        one.isClosed = true;
        lists.delete(name);
        unsubscribe();
        stop && stop();
        list.cancel();
      };
      lists.set(name, one);
      return one;
    };

    /** Starts a list again. Queries share a start, because another one would cancel it. */
    const restart = one => (one.restarting ??= one.list.start().finally(() => (one.restarting = undefined)));

    const load = async (one, {limit = Infinity, offset = 0, refetch, signal}) => {
      const {list} = one;
      let isCurrent = !refetch || live;
      let mustStart = list.waiting.capped;
      while (!one.error && (mustStart || !isCurrent || list.pages.length === 0 || (!list.atEnd && list.items.length < offset + limit))) {
        try {
          throwIfAborted(signal);
          if (one.isClosed) {
            throw namedError('AbortError', 'the list is closed');
          }
          // Unlike "start", "next" does not cancel what another query has begun to read.
          await (mustStart ? restart(one) : isCurrent ? list.next() : refresh(list));
          isCurrent = true;
          mustStart = false;
        } catch (error) {
          if (error.mustStartAgain) {
            mustStart = true;
          } else if (isTemporary(error)) {
            await new Promise(resolve => setTimeout(resolve, DELAY));
          } else if (error.name !== 'AbortError' || signal?.aborted || one.isClosed) {
            throw error;
          }
        }
        if (limit === Infinity && list.items.length > maxItems) {
          throw notSupported(`the list has more than ${maxItems} items: give the query a limit`);
        }
      }
      if (one.error) {
        throw one.error;
      }
      await one.applied;
    };

    /** Loads what a query asks for. While it runs, the list is loaded for nothing else. */
    const run = (one, request) => {
      one.loads++;
      return load(one, request).finally(() => one.loads--);
    };

    /** The number of items that the queries ask for. */
    const wanted = one => Math.max(0, ...[...demands].map(([{limit = Infinity, offset = 0}, of]) => (of === one ? offset + limit : 0)));

    markReady();
    return {
      loadSubset: request => {
        if (request.limit !== undefined) {
          requireOrder(request.orderBy);
        }
        const conditions = conditionsOf(request.where);
        // No two rows have the same position, and nothing equals NULL or is in an empty list.
        if (conditions.some(({name, value}) => name === POSITION || value == null || (Array.isArray(value) && value.length === 0))) {
          return true;
        }
        const parameters = parametersOf({order, ...filters}, conditions);
        const name = listKey(parameters);
        const one = lists.get(name) ?? open(name, parameters, conditions.map(({test}) => test));
        one.users++;
        demands.set(request, one);
        return run(one, request).catch(error => {
          // A query shows only that it has failed.
          error.name === 'AbortError' || onError(error);
          throw error;
        });
      },
      unloadSubset: request => {
        const one = demands.get(request);
        if (demands.delete(request) && --one.users === 0) {
          one.close();
          publish();
        }
      },
      cleanup: () => lists.forEach(one => one.close()),
    };
  };

  return {
    ...options,
    getKey: keyOf,
    syncMode: 'on-demand',
    sync: {sync, rowUpdateMode: 'full'},
    utils: {refresh: async () => void (await Promise.all([...lists.values()].map(one => one.refresh())))},
  };
}

/** Refreshes a list. If it would have a hole, starts it again, because a collection has no place for one. */
async function refresh(list) {
  await list.refresh();
  list.pages.some(page => page.hole) && (await list.start());
}

function requireOrder(orderBy) {
  const [first, ...rest] = orderBy ?? [];
  if (first?.expression.path?.join('.') !== POSITION || first.compareOptions.direction !== 'asc' || rest.length > 0) {
    throw notSupported(`a query with a limit is ordered by "${POSITION}", ascending`);
  }
}

/** Returns the conditions that are joined by `and`: `{name, value, test}`, the parameter, its value, and a function of an item. */
function conditionsOf(where) {
  if (!where || where.name === 'and') {
    return where?.args.flatMap(conditionsOf) ?? [];
  }
  const isNot = where.name === 'not' && where.args[0].name === 'isNull';
  const {name, args: [{path = []}, {value} = {}]} = isNot ? where.args[0] : where;
  const [column] = path;
  const test = TESTS[name];
  if (path.length !== 1 || !test || ![value ?? []].flat().every(one => (RANGE.test(name) ? ['number'] : SCALARS).includes(typeof one))) {
    throw notSupported(`the feed cannot decide "${[where.name, ...path].join(' ')}": put this condition into "filters" of the collection`);
  }
  if (name === 'isNull') {
    return [{name: `${column}.is`, value: isNot ? 'notnull' : 'null', test: item => (item[column] === null) !== isNot}];
  }
  return [{name: RANGE.test(name) ? `${column}.${name}` : column, value, test: item => test(item[column], value)}];
}

function parametersOf(filters, conditions) {
  const parameters = {...filters};
  for (const {name, value} of conditions) {
    if (parameters[name] !== undefined && String(parameters[name]) !== String(value)) {
      throw notSupported(`there are two conditions on "${name}"`);
    }
    parameters[name] = value;
  }
  return parameters;
}

/**
 * Merges the items of lists with the same order, so that the sequence of each list is kept, and an item that a list has not
 * read yet stands behind those that it has.
 */
function merge(lists, keyOf) {
  const heads = lists.map(({list, passes}) => ({items: list.items, keys: new Set(list.items.map(keyOf)), passes, at: 0}));
  const merged = [];
  const done = new Set();
  const next = head => {
    while (head.at < head.items.length && done.has(keyOf(head.items[head.at]))) {
      head.at++;
    }
    return head.items[head.at];
  };
  const isFirst = item => heads.every(head => {
    const first = next(head);
    return first === undefined || (head.keys.has(keyOf(item)) ? keyOf(first) === keyOf(item) : !head.passes(item));
  });
  for (;;) {
    const candidates = heads.map(next).filter(Boolean);
    if (candidates.length === 0) {
      return merged;
    }
    // Two lists that were read at different times can contradict each other.
    const item = candidates.find(isFirst) ?? candidates[0];
    merged.push(item);
    done.add(keyOf(item));
  }
}

/**
 * Returns increasing positions, and the greatest one that was ever given, above which items are appended. As many items as possible
 * keep their positions; the others get some between those of their neighbors.
 */
function place(items, positionOf, end) {
  const positions = items.map(positionOf);
  const kept = longestIncreasing(positions);
  for (let at = 0, to = 0; at < items.length; at = to + 1) {
    for (to = at; to < items.length && !kept.has(to); to++);
    // The items from `at` to `to` are between two that keep their positions.
    const step = at > 0 && to < items.length ? (positions[to] - positions[at - 1]) / (to - at + 1) : 1;
    const low = at > 0 && to < items.length ? positions[at - 1] : to < items.length ? positions[to] - (to - at) - 1 : end;
    for (let index = at; index < to; index++) {
      positions[index] = low + step * (index - at + 1);
    }
  }
  if (positions.some((position, at) => at > 0 && position <= positions[at - 1])) {
    // There is no number left between two others.
    positions.forEach((_, at) => (positions[at] = end + 1 + at));
  }
  return {positions, end: Math.max(end, lastOf(positions) ?? end)};
}

/** Returns the indexes of a longest increasing subsequence. Ignores undefined values. */
function longestIncreasing(values) {
  const tails = [];
  const previous = [];
  values.forEach((value, index) => {
    if (value === undefined) {
      return;
    }
    let low = 0;
    for (let high = tails.length; low < high; ) {
      const middle = (low + high) >> 1;
      values[tails[middle]] < value ? (low = middle + 1) : (high = middle);
    }
    previous[index] = tails[low - 1];
    tails[low] = index;
  });
  const indexes = new Set();
  for (let index = lastOf(tails); index !== undefined; index = previous[index]) {
    indexes.add(index);
  }
  return indexes;
}

const notSupported = detail => new FeedError(0, {code: 'not_supported', detail});

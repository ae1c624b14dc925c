import {keyOf, listKey} from './parameters.js';
import {listen} from './platform.js';

/** The form in which lists are stored. A list that was stored in another form is not restored. */
const FORM = 1;

/** The shortest time between two saves because the list has changed, in milliseconds. */
const DELAY = 1_000;

/**
 * Restores a list as it was saved in a storage, unless pages have been read, and from then on saves it after changes
 * and when the web page is hidden. Afterwards, `live` or `refresh` reads only what may have been written since.
 *
 * @param storage has `getItem`, `setItem`, and `removeItem`, which may return promises, as `sessionStorage` has
 * @param options `name`, under which the list is saved; `place()`, which returns `{item, offset}`, or null;
 *     `maxItems`; and `onError(error)`
 * @return `restored`, a promise of `{place}`, or of null if nothing was restored; `save()`; `stop()`, which saves and
 *     ends; and `forget()`, which ends and removes what was saved
 */
export function persist(list, storage, {name = nameOf(list), place = () => null, maxItems = 1_000, onError = () => {}} = {}) {
  if (typeof storage?.getItem !== 'function') {
    throw new TypeError('a storage has the methods getItem, setItem, and removeItem');
  }
  const identityOf = item => JSON.stringify(keyOf(item, list.feed)) ?? item;
  let isEnded = false;
  let timer = null;

  const save = async () => {
    clearTimeout(timer);
    timer = null;
    const {pages, moment} = list.dehydrate();
    // A list that is still loading would replace the one that was stored before.
    if (isEnded || pages.length === 0) {
      return;
    }
    try {
      const at = place();
      const item = at ? identityOf(at.item) : null;
      const isPlace = page => page.items.some(one => identityOf(one) === item);
      const stored = {form: FORM, moment, place: at && {...at, item}, pages: around(pages, isPlace, maxItems)};
      await storage.setItem(name, JSON.stringify(stored));
    } catch (error) {
      // For example, because the storage is full. An old list must not come back instead.
      forget().catch(() => {});
      onError(error);
    }
  };

  const forget = async () => storage.removeItem(name);

  const restore = async () => {
    try {
      const stored = JSON.parse(await storage.getItem(name));
      if (stored?.form !== FORM || isEnded || !list.hydrate(stored)) {
        return null;
      }
      const {place: at} = stored;
      const item = at && list.items.find(one => identityOf(one) === at.item);
      return {place: item ? {...at, item} : null};
    } catch (error) {
      onError(error);
      return null;
    }
  };

  const end = () => {
    stops.forEach(stop => stop());
    clearTimeout(timer);
    isEnded = true;
  };
  const stops = [
    list.subscribe(() => (timer ??= setTimeout(save, DELAY))),
    // A browser can end a page that is hidden without telling it.
    ...['pagehide', 'visibilitychange'].map(event => listen(globalThis, event, save)),
  ];
  return {
    restored: restore(),
    save,
    stop: () => {
      save();
      end();
    },
    forget: () => {
      end();
      return forget();
    },
  };
}

const nameOf = ({feed, parameters}) => `tidemark:${feed.url}?${listKey({...feed.defaults, ...parameters})}`;

/** Returns adjacent pages with at most this number of items: the page that contains the place, those after it, and those before. */
function around(pages, isPlace, maxItems) {
  let from = Math.max(0, pages.findIndex(isPlace));
  let to = from + 1;
  let room = maxItems - pages[from].items.length;
  while (to < pages.length && pages[to].items.length <= room) {
    room -= pages[to++].items.length;
  }
  while (from > 0 && pages[from - 1].items.length <= room) {
    room -= pages[--from].items.length;
  }
  return pages.slice(from, to).map((page, at) => (to < pages.length && at === to - from - 1 ? {...page, hole: null} : page));
}

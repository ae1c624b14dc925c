import type {FeedList} from './index.js';

/**
 * Where a list is saved: `sessionStorage`, `localStorage`, or an adapter of another storage, whose methods may return
 * promises.
 */
export interface ListStorage {
  getItem(name: string): string | null | undefined | Promise<string | null | undefined>;
  setItem(name: string, value: string): unknown;
  removeItem(name: string): unknown;
}

/**
 * A place in a list on the screen: an item, and for example its distance from the top. The members must have a form in
 * JSON.
 */
export interface Place<Item> {
  item: Item;
  offset?: number;
}

export interface PersistOptions<Item> {
  /**
   * The name under which the list is saved. Default: the address of the feed, with the parameters of the list and its
   * fields.
   */
  name?: string;
  /** Returns where the user is in the list, whenever it is saved. */
  place?: () => Place<Item> | null;
  /** The most items that are saved: those around the place. Default 1,000. */
  maxItems?: number;
  /** Called if the list could not be saved or restored, for example because the storage is full. */
  onError?: (error: Error) => void;
}

export interface PersistedList<Item> {
  /** Null if nothing was restored. `place` is null if none was saved. */
  readonly restored: Promise<{place: Place<Item> | null} | null>;
  /** Saves the list now. */
  readonly save: () => Promise<void>;
  /** Saves the list, and ends saving it. */
  readonly stop: () => void;
  /** Ends saving the list, and removes what was saved, for example when the user signs out. */
  readonly forget: () => Promise<void>;
}

/**
 * Restores a list as it was saved in a storage, unless pages have been read, and from then on saves it after changes
 * and when the web page is hidden. Afterwards, call `live` or `refresh`: if the feed is declared with `delta`, they
 * read only what may have been written since.
 */
export function persist<Item>(list: FeedList<Item>, storage: ListStorage, options?: PersistOptions<Item>): PersistedList<Item>;

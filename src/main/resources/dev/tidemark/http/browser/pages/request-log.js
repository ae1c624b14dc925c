import {el} from './controls.js';
import {sqlLines} from './sql-lines.js';

const MAX_ENTRIES = 20;

/** The latest page requests, newest first, and the details of one of them: curl, time, SQL, and plan. */
export class RequestLog {
  #list;
  #details;
  #headers;
  #entries = [];
  #selected = null;

  constructor(list, details, headers) {
    this.#list = list;
    this.#details = details;
    this.#headers = headers;
    details.replaceChildren(el('p', {}, 'No request has been made yet.'));
  }

  /** Like the browser's `fetch`, but records the requests for pages. */
  fetch = async (url, options) => {
    if (/^\/api\/[^/]+\/(fresh|counts)$/.test(new URL(url, location.href).pathname)) {
      return fetch(url, options);
    }
    const start = performance.now();
    const entry = {url: new URL(url, location.href), status: null, took: null, database: null, hasToken: 'Authorization' in options.headers};
    this.#entries = [entry, ...this.#entries].slice(0, MAX_ENTRIES);
    try {
      const response = await fetch(url, options);
      entry.status = response.status;
      entry.took = performance.now() - start;
      entry.database = /\bdb;dur=([\d.]+)/.exec(response.headers.get('Server-Timing') ?? '')?.[1] ?? null;
      return response;
    } finally {
      this.#show(entry);
    }
  };

  #show(entry) {
    this.#selected = entry;
    this.#list.replaceChildren(...this.#entries.map(one => el('li', {},
        el('button', {type: 'button', 'aria-current': one === entry, onclick: () => this.#show(one)},
            el('span', {class: 'what'}, decodeURIComponent(one.url.pathname + shortened(one.url.search))),
            one.status === 200 || one.status === null ? null : el('span', {class: 'bad'}, String(one.status)),
            el('span', {class: 'took'}, one.took === null ? '' : `${one.took.toFixed(0)} ms`)))));
    const curl = `curl ${entry.hasToken ? '-H "Authorization: Bearer $TOKEN" ' : ''}'${entry.url.href.replaceAll("'", '%27')}'`;
    const plan = el('div', {}, el('p', {}, entry.status === 200 ? 'Loading the plan' : ''));
    this.#details.replaceChildren(
        el('h2', {}, 'Request', copyButton(curl)),
        el('pre', {class: 'wrapped', id: 'curl'}, curl),
        el('h2', {}, 'Time', el('small', {}, times(entry))),
        plan);
    entry.status === 200 && this.#explain(entry, plan);
  }

  async #explain(entry, element) {
    entry.statements ??= this.#readPlan(entry.url);
    try {
      const statements = await entry.statements;
      element.replaceChildren(...statements.flatMap(({name, indexed, sql, plan}) => [
        el('h2', {}, `SQL: ${name}`, copyButton(sqlLines(sql))),
        el('pre', {class: 'wrapped sql'}, ...sqlLines(sql).split('\n').map(lineOf)),
        el('h2', {}, 'Plan', el('small', {class: indexed ? null : 'bad'}, indexed ? 'an index provides the order' : 'no index provides the order')),
        el('pre', {class: 'plan'}, plan),
      ]));
    } catch (error) {
      element.replaceChildren(el('p', {class: 'bad'}, `The plan could not be read: ${error.message}`));
    }
  }

  async #readPlan(url) {
    const name = url.pathname.slice('/api/'.length);
    const response = await fetch(`/browse/plan/${name}${url.search}`, {headers: this.#headers()});
    const body = await response.json();
    if (!response.ok) {
      throw new Error(body.detail);
    }
    return body.statements;
  }
}

function times({status, took, database}) {
  if (status === null) {
    return 'There was no response.';
  }
  return `status ${status}, ${took.toFixed(1)} ms in this browser${database ? `, of which ${database} ms for the database` : ''}`;
}

/** Shortens each token in a query to its last characters, because all tokens begin alike. */
function shortened(query) {
  return query.replaceAll(/((?:cursor|until|since)=)[\w-]{12,}([\w-]{6})/g, '$1…$2');
}

/** An element for a line of SQL. If the line wraps, it goes on below its beginning, further to the right. */
function lineOf(text) {
  const line = el('span', {class: 'line'}, `${text}\n`);
  line.style.setProperty('--indent', `${text.search(/\S|$/)}ch`);
  return line;
}

function copyButton(text) {
  const button = el('button', {type: 'button'}, 'Copy');
  button.addEventListener('click', async () => {
    await navigator.clipboard?.writeText(text);
    button.textContent = navigator.clipboard ? 'Copied' : 'Not available';
  });
  return button;
}

const POINTS = 10;
const REPETITIONS = 7;

/**
 * Measures the database time of a page at increasing depths, by cursor and by offset at the same position. The time is from the
 * Server-Timing header. The fastest of several requests counts, because other load on the machine slows some of them down.
 *
 * @return `[{depth, cursor, offset}]`, in milliseconds
 */
export async function measureDepths(order, limit) {
  const {rows} = await (await fetch('/inbox/lab/horizon')).json();
  const found = [];
  for (let point = 0; point <= POINTS; point++) {
    const depth = Math.max(0, Math.floor(((rows - 2 * limit) * point) / POINTS));
    const place = await offsetPage(order, depth, 1);
    if (place.items.length > 0) {
      const cursor = await cursorAfter(order, place.items[0].id);
      found.push({
        depth,
        cursor: await fastest(async () => (await read('/api/messages', {order, limit, cursor})).took),
        offset: await fastest(async () => (await offsetPage(order, depth, limit)).took),
      });
    }
  }
  return found;
}

/** Returns a cursor that continues after the item. */
async function cursorAfter(order, id) {
  return (await read('/api/messages', {order, limit: 1, from_id: id})).cursors.last;
}

const offsetPage = (order, offset, limit) => read('/inbox/lab/offset', {order, offset, limit});

async function read(path, parameters) {
  const response = await fetch(`${path}?${new URLSearchParams(parameters)}`);
  if (!response.ok) {
    throw new Error(`the server responded with status ${response.status}`);
  }
  return {...(await response.json()), took: databaseTime(response.headers.get('Server-Timing'))};
}

/** Returns the milliseconds that the server waited for the database, or NaN if the header is missing. */
const databaseTime = serverTiming => Number(/\bdb;dur=([\d.]+)/.exec(serverTiming ?? '')?.[1] ?? NaN);

async function fastest(measure) {
  const times = [];
  for (let time = 0; time < REPETITIONS; time++) {
    times.push(await measure());
  }
  return Math.min(...times);
}

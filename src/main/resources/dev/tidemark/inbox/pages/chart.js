const WIDTH = 860;
const HEIGHT = 210;
const BOX = {left: 60, right: WIDTH - 70, top: 16, bottom: HEIGHT - 38};

function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  Object.entries(attributes).forEach(([name, value]) => element.setAttribute(name, value));
  element.append(...children);
  return element;
}

/** Draws the milliseconds at each depth, with one line for cursors and one for offsets. */
export function depthChart(points) {
  const end = points.at(-1);
  return lineChart(points, {
    x: 'depth',
    lines: ['offset', 'cursor'],
    unit: ' ms',
    caption: 'rows above the page',
    title: `At a depth of ${end.depth} rows, a page takes ${end.cursor.toFixed(1)} ms by cursor and ${end.offset.toFixed(1)} ms by offset`,
  });
}

/** Draws the milliseconds from a commit to the screen, for each check of a live window. */
export function delayChart(points) {
  return lineChart(points, {
    x: 'check',
    lines: ['slowest', 'median'],
    unit: ' ms',
    caption: 'checks',
    title: `The milliseconds from a commit to the screen in ${points.length} checks`,
  });
}

/** Draws points such as `{depth: 0, offset: 1.5, cursor: 0.5}`, with one line for each name in `lines`. */
function lineChart(points, {x: abscissa, lines, unit, caption, title}) {
  const most = points.at(-1)[abscissa] || 1;
  const highest = ceiling(Math.max(...points.flatMap(point => lines.map(name => point[name]))));
  const x = value => BOX.left + (value / most) * (BOX.right - BOX.left);
  const y = value => BOX.bottom - (value / highest) * (BOX.bottom - BOX.top);
  const ends = lines.map(name => y(points.at(-1)[name]));
  return svg('svg', {viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': title},
      ...grid(highest, y, unit),
      ...[0, Math.round(most / 2), most].map(value => label(x(value), BOX.bottom + 18, thousands(value), 'middle')),
      label((BOX.left + BOX.right) / 2, HEIGHT - 4, caption, 'middle'),
      ...lines.flatMap((name, at) => line(name, points.map(point => [x(point[abscissa]), y(point[name])]), shiftOf(ends, at))));
}

/** Returns how far to shift the name of a line, so that the names of lines that end near each other do not overlap. */
function shiftOf(ends, at) {
  const near = ends.filter((end, other) => other !== at && Math.abs(end - ends[at]) < 16);
  return near.length === 0 ? 0 : near.every(end => end > ends[at] || (end === ends[at] && at === 0)) ? -8 : 8;
}

function grid(highest, y, unit) {
  return [0, 0.25, 0.5, 0.75, 1].flatMap(part => {
    const at = y(highest * part);
    return [
      svg('line', {class: 'grid', x1: BOX.left, x2: BOX.right, y1: at, y2: at}),
      label(BOX.left - 8, at + 4, `${+(highest * part).toPrecision(2)}${part === 1 ? unit : ''}`, 'end'),
    ];
  });
}

function line(name, places, shift) {
  const [x, y] = places.at(-1);
  return [
    svg('polyline', {class: `line ${name}`, points: places.map(place => place.join()).join(' ')}),
    ...places.map(([cx, cy]) => svg('circle', {class: `dot ${name}`, cx, cy, r: 3})),
    label(x + 8, y + 4 + shift, name, 'start', `name ${name}`),
  ];
}

function label(x, y, text, anchor, kind = 'label') {
  return svg('text', {class: kind, x, y, 'text-anchor': anchor}, text);
}

/** Rounds up to 1, 2, 4, 10, 20, 40, ... */
function ceiling(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return power * [1, 2, 4, 10].find(step => step * power >= value);
}

const thousands = number => new Intl.NumberFormat().format(number);

const WIDTH = 860;
const HEIGHT = 210;
const BOX = {left: 46, right: WIDTH - 70, top: 16, bottom: HEIGHT - 38};

function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  Object.entries(attributes).forEach(([name, value]) => element.setAttribute(name, value));
  element.append(...children);
  return element;
}

/** Milliseconds by depth, with one line for cursors and one for offsets. */
export function depthChart(points) {
  const deepest = points.at(-1).depth || 1;
  const slowest = ceiling(Math.max(...points.flatMap(point => [point.cursor, point.offset])));
  const x = depth => BOX.left + (depth / deepest) * (BOX.right - BOX.left);
  const y = time => BOX.bottom - (time / slowest) * (BOX.bottom - BOX.top);
  const end = points.at(-1);
  const title = `At a depth of ${end.depth} rows, a page takes ${end.cursor.toFixed(1)} ms by cursor and ${end.offset.toFixed(1)} ms by offset`;
  const near = Math.abs(y(end.cursor) - y(end.offset)) < 16 ? (end.cursor > end.offset ? -8 : 8) : 0;
  return svg('svg', {viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': title},
      ...grid(slowest, y),
      ...[0, 0.5, 1].map(part => label(x(deepest * part), BOX.bottom + 18, thousands(deepest * part), 'middle')),
      label((BOX.left + BOX.right) / 2, HEIGHT - 4, 'rows above the page', 'middle'),
      ...line('offset', points.map(point => [x(point.depth), y(point.offset)]), -near),
      ...line('cursor', points.map(point => [x(point.depth), y(point.cursor)]), near));
}

function grid(slowest, y) {
  return [0, 0.25, 0.5, 0.75, 1].flatMap(part => {
    const at = y(slowest * part);
    return [
      svg('line', {class: 'grid', x1: BOX.left, x2: BOX.right, y1: at, y2: at}),
      label(BOX.left - 8, at + 4, `${+(slowest * part).toPrecision(2)}${part === 1 ? ' ms' : ''}`, 'end'),
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

const thousands = number => new Intl.NumberFormat().format(Math.round(number));

/** The parts of SQL. A literal, a quoted identifier, or a comment is one part, which stays as it is. */
const PARTS = new RegExp([
  /e'(?:[^'\\]|\\[^]|'')*'?/,
  /'(?:[^']|'')*'?/,
  /"(?:[^"]|"")*"?/,
  /\$(?<tag>(?:[\p{L}_][\p{L}\p{N}_]*)?)\$[^]*?(?:\$\k<tag>\$|$)/,
  /--[^\n]*\n?/,
  /\/\*[^]*?(?:\*\/|$)/,
  /(?:ORDER|GROUP)\s+BY\b|UNION\s+ALL\b|(?:(?:LEFT|CROSS)\s+)?JOIN\b|DISTINCT\s+FROM\b/,
  /[\p{L}\p{N}_$]+/,
  /\s+/,
  /[^]/,
].map(({source}) => source).join('|'), 'giu');

const BEGINS_LINE = /^(?:SELECT|FROM|WHERE|AND|LIMIT|(?:ORDER|GROUP)\s+BY|UNION\s+ALL|(?:(?:LEFT|CROSS)\s+)?JOIN)$/i;

const IS_BLANK = /^(?:\s+|--[^]*|\/\*[^]*)$/;

/**
 * Breaks SQL into lines, which begin with SELECT, FROM, WHERE, AND, ORDER BY, LIMIT, and the like, and indents subqueries. Only
 * white space changes, and none in literals, quoted identifiers, and comments.
 */
export function sqlLines(sql) {
  const parts = [...sql.trim().matchAll(PARTS)].map(([part]) => part);
  // Whether each open parenthesis contains a query. What is in others, such as those of a function, stays on its line.
  const open = [];
  let lines = '';
  let isBetween = false;
  const breakLine = () => {
    lines = lines.trimEnd();
    lines += lines === '' ? '' : `\n${'  '.repeat(open.filter(Boolean).length)}`;
  };
  parts.forEach((part, at) => {
    const isAnd = /^and$/i.test(part);
    const isClause = BEGINS_LINE.test(part) && (open.at(-1) ?? true) && !(isAnd && isBetween);
    isBetween = /^between$/i.test(part) || (isBetween && !isAnd);
    if (isClause || (part === ')' && open.pop())) {
      breakLine();
    }
    lines += !/^\s+$/.test(part) ? part : /\s$/.test(lines) ? '' : ' ';
    if (part === '(') {
      open.push(beginsQuery(parts, at + 1));
      open.at(-1) && breakLine();
    }
  });
  return lines;
}

/** Whether a query begins here, possibly in further parentheses. */
function beginsQuery(parts, start) {
  const first = parts.slice(start).find(part => part !== '(' && !IS_BLANK.test(part));
  return /^(?:select|with)$/i.test(first ?? '');
}

import {el} from './dom.js';

/** Agents and customers: people with a name and a color, `{name, color}`. */

/** The first letters of the first and the last word of a name. */
const initialsOf = name => {
  const words = name.split(/\s+/).filter(Boolean);
  return [words[0], ...(words.length > 1 ? [words.at(-1)] : [])].map(word => [...word][0].toUpperCase()).join('');
};

/** A disk in the color of a person. Without a person, it is gray. The content security policy allows this color, but no style attribute. */
function disk(person, name, text) {
  const element = el('span', {class: name, 'aria-hidden': 'true'}, text);
  if (person) {
    element.style.backgroundColor = person.color;
  }
  return element;
}

export const avatar = person => disk(person, 'avatar', person ? initialsOf(person.name) : '?');

export const colorDot = person => disk(person, 'hue', '');

/** The name of the assignee of a message. An assignee who is no agent has only a handle. */
export const assigneeOf = item => item.agent?.name ?? item.assignee;

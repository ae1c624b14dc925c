import {el} from './dom.js';
import {writes} from './writes.js';

const KINDS = {agents: 'Agents', customers: 'Customers'};

/** Lets the user rename a person. The form selects the name, and the status says what has been renamed. */
export async function connectRenameForm(form, status) {
  const {person, name} = form.elements;
  const selected = () => person.selectedOptions[0];
  const showName = () => (name.value = selected()?.text ?? '');
  const show = async chosen => {
    const people = await writes.people();
    person.replaceChildren(...Object.entries(KINDS).map(([kind, label]) => el('optgroup', {label}, ...people[kind].map(({id, name: known}) =>
      el('option', {value: `${kind}/${id}`, selected: `${kind}/${id}` === chosen}, known)))));
    showName();
  };
  person.addEventListener('change', showName);
  form.addEventListener('submit', async event => {
    event.preventDefault();
    const [kind, id] = person.value.split('/');
    const before = selected().text;
    try {
      await writes.rename(kind, id, name.value);
      await show(person.value);
      status.textContent = `${before} is now ${selected().text}.`;
    } catch (error) {
      status.textContent = error.message;
    }
  });
  await show(null).catch(error => (status.textContent = error.message));
}

/** Renames agents at random, and restores their names at the end. */
export class Renames {
  #agents = [];
  #count = 0;

  async start() {
    this.#agents = (await writes.people()).agents;
  }

  async renameOne() {
    const {id, name} = this.#agents[Math.floor(Math.random() * this.#agents.length)];
    await writes.rename('agents', id, `${name} ${++this.#count}`);
  }

  async restore() {
    for (const {id, name} of this.#agents) {
      await writes.rename('agents', id, name);
    }
  }
}

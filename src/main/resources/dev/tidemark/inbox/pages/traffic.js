/** What the server simulates: how many messages it inserts, edits and deletes a second. */
export const traffic = {
  async get() {
    return (await fetch('/inbox/traffic', {headers: {Accept: 'application/json'}})).json();
  },

  /** @param keepalive whether it has to arrive also when the page is being left */
  async set(rates, {keepalive = false} = {}) {
    const response = await fetch('/inbox/traffic', {
      method: 'PUT',
      headers: {'Content-Type': 'application/json'},
      body: JSON.stringify(rates),
      keepalive,
    });
    if (!response.ok) {
      throw new Error(`the server answered ${response.status}`);
    }
  },
};

export const NONE = {inserts: 0, edits: 0, deletes: 0};

const SOME = {inserts: 1, edits: 1, deletes: 1};

export const isOn = rates => rates.inserts + rates.edits + rates.deletes > 0;

/** The switch in the header. */
export async function trafficSwitch(button) {
  const show = on => button.setAttribute('aria-checked', on);
  const turn = async on => {
    await traffic.set(on ? SOME : NONE);
    show(on);
  };
  button.addEventListener('click', () => turn(button.getAttribute('aria-checked') !== 'true').catch(() => show(false)));
  show(isOn(await traffic.get().catch(() => NONE)));
}

/** The simulated traffic: the numbers of messages that are inserted, edited and deleted per second. */
export const traffic = {
  async get() {
    return (await fetch('/inbox/traffic', {headers: {Accept: 'application/json'}})).json();
  },

  /**
   * Sets the rates. Unless `rates.attended` is false, the traffic stops once no page asks for it.
   *
   * @param keepalive whether the request must complete even if the user leaves the page
   */
  async set(rates, {keepalive = false} = {}) {
    const response = await fetch(`/inbox/traffic?attended=${rates.attended ?? true}`, {
      method: 'PUT',
      headers: {'Content-Type': 'application/json'},
      body: JSON.stringify(rates),
      keepalive,
    });
    if (!response.ok) {
      throw new Error(`the server responded with status ${response.status}`);
    }
  },
};

export const NONE = {inserts: 0, edits: 0, deletes: 0};

const DEFAULT_RATES = {inserts: 1, edits: 1, deletes: 1};

export const isOn = rates => rates.inserts + rates.edits + rates.deletes > 0;

/** Connects the switch in the header with the simulated traffic. */
export function connectTrafficSwitch(button) {
  const show = on => button.setAttribute('aria-checked', on);
  const turn = async on => {
    await traffic.set(on ? DEFAULT_RATES : NONE);
    show(on);
  };
  button.addEventListener('click', () => turn(button.getAttribute('aria-checked') !== 'true').catch(() => show(false)));
  attendTraffic(rates => show(isOn(rates)));
}

/** Asks for the traffic for as long as the page is open, because the traffic stops without an open page. */
export async function attendTraffic(onRates = () => {}) {
  for (;;) {
    const status = await traffic.get().catch(() => null);
    onRates(status ?? NONE);
    await new Promise(resolve => setTimeout(resolve, (status?.attention ?? 30_000) / 3));
  }
}

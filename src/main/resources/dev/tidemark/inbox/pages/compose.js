import {writes} from './writes.js';

/** The dialog for a new message. The text is kept until it has been sent. */
export function compose(dialog, onSent) {
  const form = dialog.querySelector('form');
  const trouble = dialog.querySelector('.form-error');
  dialog.querySelector('[value="cancel"]').addEventListener('click', () => dialog.close());
  form.addEventListener('submit', async event => {
    event.preventDefault();
    const button = form.querySelector('[type="submit"]');
    button.disabled = true;
    trouble.hidden = true;
    try {
      const {id} = await writes.create({subject: form.elements.subject.value, body: form.elements.body.value});
      form.reset();
      dialog.close();
      onSent(id);
    } catch (error) {
      trouble.textContent = error.message;
      trouble.hidden = false;
    } finally {
      button.disabled = false;
    }
  });
  return () => dialog.showModal();
}

import {writes} from './writes.js';

/** Prepares the dialog for a new message, and returns a function that opens it. The text is kept until it has been sent. */
export function prepareComposeDialog(dialog, onSent) {
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

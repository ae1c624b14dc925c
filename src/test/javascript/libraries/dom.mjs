import {Window} from 'happy-dom';

// React needs a document. Everything else, such as fetch, still comes from Node.js.
globalThis.window = new Window({url: process.env.TIDEMARK_URL});
globalThis.document = window.document;
globalThis.IS_REACT_ACT_ENVIRONMENT = true;
globalThis.navigator ??= window.navigator;

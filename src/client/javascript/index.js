export {Feed} from './feed.js';
export {FeedList} from './list.js';
export {FeedError, isTemporary} from './requests.js';
export {listKey} from './parameters.js';

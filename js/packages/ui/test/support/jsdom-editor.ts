/** What CodeMirror needs beside it: jsdom calls itself Safari, and lays nothing out. */

import './jsdom.ts';

Object.defineProperty(navigator, 'vendor', { value: '' });
Range.prototype.getClientRects = () => [] as unknown as DOMRectList;

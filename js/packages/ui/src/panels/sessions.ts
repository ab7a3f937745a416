/** The stores of panels of the sessions on this page: made when a session's view first opens. */

import { pageKernelAccess } from '@jupyter-ac/page';
import { chosenPanel } from '../controllers/chosen-panel.ts';
import { frameThrottle } from '../controllers/frame-throttle.ts';
import { PanelsStore } from '../model/panels/panels-store.ts';
import type { Session } from '../model/session.ts';

const stores = new WeakMap<Session, PanelsStore>();

/** That of a session; made by the first call. */
export function panelsStore(session: Session): PanelsStore {
  const known = stores.get(session);
  if (known) return known;
  const made = new PanelsStore(session, {
    kernel: pageKernelAccess(),
    schedule: frameThrottle,
    memory: chosenPanel,
  });
  stores.set(session, made);
  return made;
}

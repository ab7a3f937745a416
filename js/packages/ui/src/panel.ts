/** Puts a panel into a node of any host: a notebook's output, a side bar, a page. */

import { define, RpcLink, tagOf } from '@jupyter-ac/link';
import { diagnose, initRepository, type Place, sessionStore, socketUrl } from '@jupyter-ac/page';
import { AcApp } from './elements/app.ts';
import { AcBreakdown } from './elements/breakdown.ts';
import { AcChat } from './elements/chat.ts';
import { AcComposer } from './elements/composer.ts';
import { AcMessage } from './elements/message.ts';
import { AcNotices } from './elements/notices.ts';
import { AcPicker } from './elements/picker.ts';
import { AcToasts } from './elements/toasts.ts';
import { Session, type Status } from './model/session.ts';
import { askRoot, rootOf } from './probe.ts';
import { VERSION } from './version.ts';

/** What a host mirrors, e.g. into a widget's traits. */
export interface PanelState {
  readonly selected_files: readonly string[];
  readonly busy: boolean;
  readonly status: Status;
}

export interface PanelOptions {
  readonly place: Place;
  /** How frames travel; shown as `data-door`. */
  readonly door: 'server' | 'relay' | 'page';
  /** Called with each new state, and with the first. */
  readonly onState?: (state: PanelState) => void;
}

export interface Panel {
  /** Shows the repository of another place in the same panel; nothing happens when it is the same one. */
  retarget(place: Place): void;
  focus(): void;
  dispose(): void;
}

const ELEMENTS: readonly [string, CustomElementConstructor][] = [
  ['ac-link', RpcLink],
  ['ac-app', AcApp],
  ['ac-breakdown', AcBreakdown],
  ['ac-chat', AcChat],
  ['ac-composer', AcComposer],
  ['ac-message', AcMessage],
  ['ac-notices', AcNotices],
  ['ac-picker', AcPicker],
  ['ac-toasts', AcToasts],
];

export function mountPanel(node: HTMLElement, options: PanelOptions): Panel {
  for (const [name, element] of ELEMENTS) define(name, element);
  const app = document.createElement(tagOf('ac-app')) as AcApp;
  app.dataset.door = options.door;
  let visit = enter(app, options.place, options.onState);
  let wanted = options.place;
  node.append(app);

  const follow = async (place: Place): Promise<void> => {
    wanted = place;
    if (visit.link.connected) {
      const [here, there] = await Promise.all([askRoot(visit.link).catch(() => ''), rootOf(place)]);
      if (wanted !== place || (here !== '' && here === there)) return;
    }
    visit.leave();
    visit = enter(app, place, options.onState);
  };

  return {
    retarget: (place) => void follow(place),
    focus: () => app.focusInput(),
    dispose() {
      wanted = options.place;
      visit.leave();
      app.remove();
    },
  };
}

interface Visit {
  readonly link: RpcLink;
  leave(): void;
}

/** Connects `app` to a place. */
function enter(app: AcApp, place: Place, onState: PanelOptions['onState']): Visit {
  const link = document.createElement(tagOf('ac-link')) as RpcLink;
  const session = new Session(link, {
    version: VERSION,
    storage: sessionStore(),
    draftKey: `jupyter-ac.draft:${place.repo ?? ''}`,
    diagnose: () => diagnose(place.page),
    initRepository: () => initRepository(place, document.cookie),
  });
  const tell = onState ? mirror(session, onState) : () => {};
  const stopTelling = session.subscribe(tell);
  const hurry = () => link.retry();
  window.addEventListener('online', hurry);
  app.link = link;
  app.session = session;
  link.open(socketUrl(place));
  tell();
  return {
    link,
    leave() {
      window.removeEventListener('online', hurry);
      stopTelling();
      session.dispose();
      link.close();
    },
  };
}

/** Tells each state once. */
function mirror(session: Session, onState: (state: PanelState) => void): () => void {
  let last = '';
  return () => {
    const state: PanelState = {
      selected_files: session.selection.paths,
      busy: session.chat.stream !== null,
      status: session.status,
    };
    const text = JSON.stringify(state);
    if (text === last) return;
    last = text;
    onState(state);
  };
}

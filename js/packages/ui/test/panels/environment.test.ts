import '../support/jsdom.ts';
import { afterEach, expect, it } from 'vitest';
import { pageEnvironment } from '../../src/panels/environment.ts';

afterEach(() => document.body.replaceChildren());

it.each([
  ['rgb(255, 255, 255)', 'light'],
  ['rgb(20, 20, 20)', 'dark'],
])('on %s is %s', (backgroundColor, colorScheme) => {
  const element = document.createElement('div');
  element.style.backgroundColor = backgroundColor;
  element.style.setProperty('--ac-accent', ' #1d63c4 ');
  document.body.append(element);
  expect(pageEnvironment(element)).toEqual({
    colorScheme,
    accentColor: '#1d63c4',
    reduceMotion: false,
    highContrast: false,
    active: true,
  });
  element.style.setProperty('--ac-accent', 'x'.repeat(200));
  expect(pageEnvironment(element)).not.toHaveProperty('accentColor');
});

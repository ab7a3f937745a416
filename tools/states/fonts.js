// Draws all text with fonts of the repository: those of a machine have other widths.
async (files) => {
  const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  for (const { family, weight, content } of files) {
    const face = new FontFace(family, bytes(content), { weight });
    document.fonts.add(await face.load());
  }
  const { style } = document.documentElement;
  style.setProperty('--jp-ui-font-family', '"States Sans"');
  style.setProperty('--jp-code-font-family', '"States Mono"');
}

// Draws one bar for each reading: [{ day: "2026-03-02", celsius: 7.5 }, …].
export function drawWeek(canvas, readings) {
  const pen = canvas.getContext("2d");
  const width = canvas.width / readings.length;
  const hottest = Math.max(...readings.map((reading) => reading.celsius));

  readings.forEach((reading, index) => {
    const height = (reading.celsius / hottest) * canvas.height;
    pen.fillStyle = reading.celsius > 10 ? "#d9822b" : "#2b79d9";
    pen.fillRect(index * width, canvas.height - height, width - 2, height);
  });
}

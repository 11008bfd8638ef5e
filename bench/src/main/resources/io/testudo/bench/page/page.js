'use strict';
// Points of plots tell their figure and its spread: under the pointer, at a touch, and with the arrow keys.
(() => {
  const tip = document.getElementById('tip');
  let shown = null;

  const hide = () => {
    if (shown) shown.classList.remove('on');
    shown = null;
    tip.hidden = true;
  };

  const show = (point) => {
    hide();
    shown = point;
    point.classList.add('on');
    tip.textContent = point.dataset.said;
    tip.hidden = false;
    const mark = point.querySelector('.mark').getBoundingClientRect();
    const box = tip.getBoundingClientRect();
    const left = Math.min(Math.max(4, mark.left + mark.width / 2 - box.width / 2), innerWidth - box.width - 4);
    const above = mark.top - box.height - 8;
    tip.style.left = left + 'px';
    tip.style.top = (above < 4 ? mark.bottom + 8 : above) + 'px';
  };

  for (const svg of document.querySelectorAll('figure svg')) {
    const points = [...svg.querySelectorAll('.point')];
    for (const point of points) {
      const title = point.querySelector('title');
      point.dataset.said = title.textContent;
      title.remove(); // Or the browser would show its own tip, too.
      point.addEventListener('pointerenter', () => show(point));
      point.addEventListener('pointerleave', hide);
      point.addEventListener('click', () => show(point));
    }
    if (points.length) {
      svg.tabIndex = 0;
      svg.addEventListener('keydown', (event) => {
        const step = {ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1}[event.key];
        if (event.key === 'Escape') hide();
        if (!step) return;
        event.preventDefault();
        const at = points.indexOf(shown);
        show(points[at < 0 ? 0 : (at + step + points.length) % points.length]);
      });
      svg.addEventListener('blur', hide);
    }
  }
  addEventListener('scroll', hide, {passive: true});
})();

/// What makes pages follow the database. Without it they are all there, and stand still.
enum StudioScript {
    static let text = """
        'use strict';
        const content = document.querySelector('main');
        const status = () => document.querySelector('.live');

        function tell(text) {
          const line = status();
          if (!line) return;
          line.hidden = false;
          if (line.textContent !== text) line.textContent = text;
        }

        // A form that somebody fills in, and a place that somebody reads, are left alone.
        function isBusy() {
          const focused = document.activeElement;
          return (focused && focused.matches('input, select, textarea')) || document.querySelector('details[open]') !== null;
        }

        async function renew() {
          if (isBusy()) return tell('There are changes. Reload the page to see them.');
          const answer = await fetch(location.href, { headers: { 'Accept': 'text/html' } });
          if (!answer.ok) return tell('Not up to date: the studio answered ' + answer.status + '.');
          const page = new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector('main');
          if (!page || isBusy()) return;
          content.replaceChildren(...page.childNodes);
          tell('Up to date at ' + new Date().toLocaleTimeString());
        }

        function attempt() { renew().catch(() => tell('Not up to date: the studio does not answer.')); }

        if (content && content.dataset.live) {
          const classes = (content.dataset.classes || '').split(' ').filter(Boolean);
          const source = new EventSource(content.dataset.live);
          source.onopen = () => tell('Follows changes');
          source.onerror = () => tell('Does not follow changes: the studio does not answer.');
          source.onmessage = (event) => {
            const changed = JSON.parse(event.data).classes;
            if (classes.length === 0 || changed.some((name) => classes.includes(name))) attempt();
          };
        }

        if (content && content.dataset.seconds) {
          tell('Follows the server');
          setInterval(attempt, Number(content.dataset.seconds) * 1000);
        }

        // In the picture, the lines of a class stand out while somebody points at it.
        const lines = document.querySelectorAll('.picture .line');
        for (const box of document.querySelectorAll('.picture [data-box]')) {
          const mark = (isOn) => {
            const name = box.dataset.box;
            for (const line of lines) {
              if (line.dataset.from === name || line.dataset.to === name) line.classList.toggle('marked', isOn);
            }
          };
          for (const event of ['mouseenter', 'focus']) box.addEventListener(event, () => mark(true));
          for (const event of ['mouseleave', 'blur']) box.addEventListener(event, () => mark(false));
        }
        """
}

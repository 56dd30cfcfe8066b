"""The way tasks are made: scenario families, written once for both languages. It knows no domain.

A *family* is a short module with a function ``tell(scene)`` that reads downward like a story; the example to copy is
``vitagym.envs.delivery.scenarios.office_lunch``:

1. **Who, where, when**: ``scene.in_city()``; ``scene.person = draw_person(…)``; ``scene.now``; places, weather, habits.
2. **What they want**: a list of requirements. An ``OfferRequirement`` is about what is chosen (a trait, price, rating,
   distance, …), a plain ``Requirement`` about the record (address, time, note, head count, …).
3. **What satisfies it, what nearly does**: ``draw_pool(stream, sketch, requirements)`` draws valid offers, a near-miss
   for each requirement, and noise. ``sketch(stream)`` draws any offer of the right sort; ``grant`` and ``deny`` of the
   requirements do the rest, and every offer is measured afterwards. ``scene.lay(pool.providers)`` gives them ids and
   addresses; ``scene.goal(key, subject, record, requirements, pool)`` makes rubrics and checks of the requirements.
4. **How they say it**: ``scene.opening`` (first words), ``later`` (volunteered), ``asked`` (only when asked), ``when``
   (after an event; with ``replaces`` a change of mind). Words are *sayings* of ``assets/text/stories/<family>.toml``,
   filled from ``requirement.values()``, so that what is said is what is checked.
5. **What a good agent does**: ``scene.call`` and ``scene.tell``, look-ups first; ``after`` names the points that must
   have been said before.

The family ends with ``FAMILY = Family(name, domains, tell)``, and stands in ``FAMILIES`` of its scenarios package.
Every text is a ``Term`` (English and Chinese); draws come from the scene's streams and never see a language. A draw
that leads nowhere raises ``CannotBuild``, and the scene is drawn again. ``vitagym.generation.proofs`` proves a draft.

- ``terms``, ``speech``, ``telling``: texts in both languages; times, money, counts; instructions as people say them
- ``geography``, ``addresses``, ``weather``, ``calendar``, ``people``, ``spots``: where, when and who
- ``sketches``, ``shapes``: providers and products while they are drawn, and how they are written in an environment
- ``requirement``, ``offer_requirements``, ``record_requirements``: one object says it, checks it and makes near-misses
- ``pools``, ``goals``: offers to choose among; rubrics
- ``scene``, ``drafts``, ``families``: the story, the finished scene, and how a seed becomes one
- ``playback``, ``spoiling``, ``proofs``: the reference solution run and judged, spoilt ones too, and what that proves
"""

from __future__ import annotations

from django.urls import path

from replays.browse.data import views as data
from replays.browse.help import views as help_pages
from replays.browse.home import views as home
from replays.browse.lists import list_page as lists
from replays.browse.lists import replay_page as replay
from replays.browse.search import views as search
from replays.moderation import staff_views as moderators
from replays.moderation import views as moderation
from replays.odds.positions import views as positions
from replays.odds.solver_page import views as solver_page
from replays.own.account_deletion import views as account
from replays.trust.judging import views as judgements
from replays.trust.ownership import views as ownership
from replays.trust.places import views as places
from replays.upload.batches import views as uploads
from replays.upload.encodings import views as encodings
from replays.upload.intake import views as upload
from replays.watch.any_file import views as any_file
from replays.watch.clips import views as clips
from replays.watch.comments import views as comments
from replays.watch.compare import views as compare
from replays.watch.film import views as film
from replays.watch.pictures import views as pictures
from replays.watch.review import views as review
from replays.watch.training import views as training

urlpatterns = [
    path("", home.home, name="home"),
    path("news/", home.news, name="news"),
    path("data/", data.data, name="data"),
    path("data/<slug:folder>/<str:name>", data.data_file, name="data-file"),
    path("search/", search.search_page, name="search"),
    path("upload/", upload.upload, name="upload"),
    path("watch/", any_file.any_file, name="watch-file"),
    path("upload/status/", upload.upload_status, name="upload-status"),
    path("upload/batches/<int:pk>/", uploads.upload_batch, name="upload-batch"),
    path("upload/batches/<int:pk>/names/", uploads.upload_batch_names, name="upload-batch-names"),
    path("account/delete/", account.account_delete, name="account-delete"),
    path("account/deleted/", account.account_deleted, name="account-deleted"),
    path("account/uploads/", uploads.own_uploads, name="own-uploads"),
    path("account/uploads/delete/", uploads.own_uploads_delete, name="own-uploads-delete"),
    path("replays/", lists.replays, name="replays"),
    path("replays/<int:pk>/", replay.replay, name="replay"),
    path("replays/<int:pk>/file", replay.replay_file, name="replay-file"),
    path("replays/<int:pk>.rawvf", replay.replay_rawvf, name="replay-rawvf"),
    path("replays/<int:pk>/film", film.film, name="replay-film"),
    path("replays/<int:pk>/odds", film.odds, name="replay-odds"),
    path("replays/<int:pk>/route", film.route, name="replay-route"),
    path("embed/replays/<int:pk>/", replay.embed, name="replay-embed"),
    path("replays/<int:pk>/card.png", pictures.replay_card, name="replay-card"),
    path("replays/<int:pk>/frame.png", pictures.replay_frame, name="replay-frame"),
    path("replays/<int:pk>/clip/", clips.clip_page, name="replay-clip"),
    path("replays/<int:pk>/clip.gif", clips.clip_gif, name="replay-clip-gif"),
    path("compare/", compare.comparison, name="compare"),
    path("film/formula", film.formula, name="film-formula"),
    path("replays/<int:pk>/rzini/", replay.replay_rzini, name="replay-rzini"),
    path("replays/<int:pk>/delete/", replay.replay_remove, name="replay-delete"),
    path("replays/<int:pk>/keep/", replay.replay_keep, name="replay-keep"),
    path("replays/<int:pk>/judge/", judgements.replay_judgement, name="replay-judge"),
    path("replays/<int:pk>/appeal/", judgements.replay_appeal, name="replay-appeal"),
    path("replays/<int:pk>/name/", encodings.replay_encoding, name="replay-encoding"),
    path("replays/<int:pk>/date/", judgements.replay_date, name="replay-date"),
    path("replays/<int:pk>/comments/", comments.replay_comments, name="replay-comments"),
    path("replays/<int:pk>/like/", comments.replay_like, name="replay-like"),
    path("comments/<int:pk>/delete/", comments.comment_remove, name="comment-delete"),
    path("report/<slug:what>/<slug:which>/", moderation.report, name="report"),
    path("account/ban/", moderation.ban, name="ban"),
    path("account/decisions/", moderation.decisions, name="own-decisions"),
    path("comments/<int:pk>/moderate/", comments.comment_moderation, name="comment-moderate"),
    path("staff/reports/", moderators.reports, name="reports"),
    path("staff/reports/<int:pk>/", moderators.report_decision, name="report-decision"),
    path("staff/bans/", moderators.bans, name="bans"),
    path("staff/bans/<int:pk>/", moderators.ban_decision, name="ban-decision"),
    path("staff/versions/", moderators.versions, name="versions"),
    path("staff/decisions/", moderators.decision_log, name="decision-log"),
    path("account/comments/", comments.own_comments, name="own-comments"),
    path("replays/<int:pk>/review/", review.replay_review_page, name="replay-review"),
    path("replays/<int:pk>/puzzles/<int:event>/", training.replay_puzzle, name="replay-puzzle"),
    path("training/", training.training, name="training"),
    path("players/<int:pk>/needless-guesses/", review.needless_guesses, name="needless-guesses"),
    path("help/", help_pages.help_index, name="help"),
    path("more/", help_pages.more, name="more"),
    path("help/replay-files/", help_pages.help_files, name="help-files"),
    path("help/ranking/", help_pages.help_ranking, name="help-ranking"),
    path("help/glossary/", help_pages.help_glossary, name="help-glossary"),
    path("help/about/", help_pages.help_about, name="help-about"),
    path("help/privacy/", help_pages.help_privacy, name="help-privacy"),
    path("help/licence/", help_pages.help_licence, name="help-licence"),
    path("help/evidence/", judgements.help_evidence, name="help-evidence"),
    path("replays/<int:pk>/ownership/", ownership.replay_ownership, name="replay-ownership"),
    path("account/games/", ownership.asked_games, name="asked-games"),
    path("account/games/answer/", ownership.games_answers, name="games-answers"),
    path("staff/judgements/", judgements.judgements, name="judgements"),
    path("staff/places/", places.places, name="places"),
    path("staff/places/<int:pk>/", places.place, name="place"),
    path("tools/", positions.tools, name="tools"),
    path("tools/probability/", positions.probability, name="tool-probability"),
    path("tools/solver/", solver_page.solver, name="tool-solver"),
    path("tools/one-and-two/", positions.one_and_two, name="tool-one-and-two"),
]
